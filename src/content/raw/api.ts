import { asks, textParam } from "../../http/query.ts";
import { redirect } from "../../http/respond.ts";
import type { Call, Route, RouteDoc } from "../../http/route.ts";
import { NotFound } from "../../kernel/errors.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { Services } from "../../services.ts";
import { readBytes, readCode } from "../access.ts";
import { encodePath } from "../paths.ts";
import { readPath } from "../values.ts";
import { serveFile, serveMedia } from "./serve.ts";

const ref = textParam("A branch, tag or commit id; the default branch if absent or unknown.");

const repoPath = "/api/v1/repos/:owner/:repo";

/** File bytes (contract git-content.md 5.1), through the API and at the URLs pages link to. */
export function rawRoutes(services: Services): Route[] {
  return [...apiRoutes(services), ...pageRoutes(services)];
}

function apiRoutes(services: Services): Route[] {
  const { files, revisions } = services;
  const serve = (call: Call, ref: string, send: typeof serveMedia = serveFile) => {
    const seen = seenRepo(call);
    if (seen.repo.isEmpty) throw new NotFound("repository.empty");
    const { at, path } = revisions.lenient(seen, call.params["*"] ?? "", ref);
    const entry = files.find(seen, at.commit, readPath(path));
    if (!entry) throw new NotFound();
    return send(services, call, seen, at, entry);
  };
  const doc = (id: string, summary: string): RouteDoc => ({
    id,
    tag: "repository",
    summary,
    params: { path: "Path of the file, optionally preceded by a branch, tag or commit." },
    answers: {
      200: { description: "The bytes." },
      206: { description: "The requested range." },
      304: { description: "Not modified." },
      404: { description: "There is no such file." },
      416: { description: "The range is beyond the end." },
    },
  });
  return [
    {
      method: "GET",
      path: `${repoPath}/raw/*`,
      surface: "api",
      access: readCode,
      doc: doc("repoGetRawFile", "Get the raw contents of a file"),
      ...asks({ ref }, (call, asked) => serve(call, asked.ref)),
    },
    {
      method: "GET",
      path: `${repoPath}/media/*`,
      surface: "api",
      access: readCode,
      doc: doc("repoGetRawFileOrLFS", "Get the raw contents of a file, or of the LFS object it points to"),
      ...asks({ ref }, (call, asked) => serve(call, asked.ref, serveMedia)),
    },
  ];
}

/** Minimum length of an abbreviated id in a URL. */
const MIN_DIGITS = 4;

function pageRoutes(services: Services): Route[] {
  const { files, revisions } = services;
  const serve = (call: Call, word: "raw" | "media") => {
    const seen = seenRepo(call);
    const { repo, owner } = seen;
    const [kind = "", ...rest] = (call.params["*"] ?? "").split("/");
    if (kind === "blob") throw new NotFound();
    if (kind !== "branch" && kind !== "tag" && kind !== "commit") {
      // Without a kind: redirects to the URL that has it.
      const { at, path } = revisions.lenient(seen, call.params["*"] ?? "", "");
      const where = encodePath(`${at.kind}/${at.name}/${path}`);
      return redirect(`/${encodePath(owner.login)}/${encodePath(repo.name)}/${word}/${where}`);
    }
    const found = revisions.leading(seen, kind, rest, MIN_DIGITS);
    if (!found) {
      const moved = kind === "branch" ? revisions.leadingFormer(seen, rest) : undefined;
      if (!moved) throw new NotFound();
      const where = encodePath(`branch/${moved.value.name}/${rest.slice(moved.count).join("/")}`);
      return redirect(`/${encodePath(owner.login)}/${encodePath(repo.name)}/${word}/${where}`);
    }
    const at = found.value;
    const path = rest.slice(found.count).join("/");
    const send = word === "media" ? serveMedia : serveFile;
    return send(services, call, seen, at, files.entry(seen, at.commit, knownPath(path)));
  };
  return (["raw", "media"] as const).map((word) => ({
    method: "GET",
    path: `/:owner/:repo/${word}/*`,
    surface: "bytes",
    access: readBytes,
    handle: (call) => serve(call, word),
  }));
}

/** In a page's URL, a path that no tree can contain is simply not found. @throws NotFound */
function knownPath(path: string): string {
  try {
    return readPath(path);
  } catch {
    throw new NotFound();
  }
}
