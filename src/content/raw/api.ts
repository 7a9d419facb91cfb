import { Type } from "@sinclair/typebox";
import { text } from "../../http/query.ts";
import { redirect } from "../../http/respond.ts";
import type { Access, Call, Route, RouteDoc } from "../../http/route.ts";
import { NotFound } from "../../kernel/errors.ts";
import { readsCode } from "../../repos/api-access.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { Services } from "../../services.ts";
import { encodePath, readPath } from "../paths.ts";
import type { NamedCommit } from "../revisions/service.ts";
import { serveFile } from "./serve.ts";

const repoPath = "/api/v1/repos/:owner/:repo";

/** Bytes of files (contract git-content.md 5.1), by the API and by the addresses pages link to. */
export function rawRoutes(services: Services): Route[] {
  return [...apiRoutes(services), ...pageRoutes(services)];
}

function apiRoutes(services: Services): Route[] {
  const { files, revisions } = services;
  const serve = (call: Call) => {
    const seen = seenRepo(call);
    if (seen.repo.isEmpty) throw new NotFound("repository.empty");
    const { at, path } = revisions.lenient(seen.repo, call.params["*"] ?? "", text(call.query, "ref"));
    return serveFile(services, call, seen, at, files.entry(seen.repo, at.commit, readPath(path)));
  };
  const doc = (id: string, summary: string): RouteDoc => ({
    id,
    tag: "repository",
    summary,
    params: { path: "Path of the file; a branch, tag or commit may stand before it." },
    query: [
      {
        name: "ref",
        description: "A branch, tag or commit id; the default branch when absent or unknown.",
        schema: Type.String(),
      },
    ],
    answers: {
      200: { description: "The bytes." },
      206: { description: "The part that was asked for." },
      304: { description: "The caller has them already." },
      404: { description: "There is no such file." },
      416: { description: "The part lies behind the end." },
    },
  });
  return [
    {
      method: "GET",
      path: `${repoPath}/raw/*`,
      surface: "api",
      access: readsCode,
      doc: doc("repoGetRawFile", "The bytes of a file"),
      handle: serve,
    },
    {
      method: "GET",
      path: `${repoPath}/media/*`,
      surface: "api",
      access: readsCode,
      doc: doc("repoGetRawFileOrLFS", "The bytes of a file, or what its LFS pointer stands for"),
      handle: serve,
    },
  ];
}

const readsBytes: Access = { ...readsCode, sudo: false };

function pageRoutes(services: Services): Route[] {
  const { branches, files, revisions } = services;
  const serve = (call: Call, word: string) => {
    const seen = seenRepo(call);
    const { repo, owner } = seen;
    const [kind = "", ...rest] = (call.params["*"] ?? "").split("/");
    const place = rest.join("/");
    if (kind === "blob") throw new NotFound();
    if (kind !== "branch" && kind !== "tag" && kind !== "commit") {
      // Without the kind: on to the address that has it.
      const { at, path } = revisions.lenient(repo, call.params["*"] ?? "", "");
      const where = encodePath(`${at.kind}/${at.name}/${path}`);
      return redirect(`/${encodePath(owner.login)}/${encodePath(repo.name)}/${word}/${where}`);
    }
    const found = leading(place, (name) => namedAs(services, seen, kind, name));
    if (!found) {
      const moved = leading(place, (name) => (kind === "branch" ? branches.renamedTo(repo, name) : undefined));
      if (!moved) throw new NotFound();
      const where = encodePath(`branch/${moved.value}/${moved.rest}`);
      return redirect(`/${encodePath(owner.login)}/${encodePath(repo.name)}/${word}/${where}`);
    }
    const { value: at, rest: path } = found;
    return serveFile(services, call, seen, at, files.entry(repo, at.commit, knownPath(path)));
  };
  return ["raw", "media"].map((word) => ({
    method: "GET",
    path: `/:owner/:repo/${word}/*`,
    surface: "bytes",
    access: readsBytes,
    handle: (call) => serve(call, word),
  }));
}

/** In an address of a page, what no tree can hold is just not there. @throws NotFound */
function knownPath(path: string): string {
  try {
    return readPath(path);
  } catch {
    throw new NotFound();
  }
}

function namedAs({ revisions }: Services, { repo }: ReturnType<typeof seenRepo>, kind: string, name: string) {
  if (kind === "branch") return revisions.branch(repo, name);
  if (kind === "tag") return revisions.tag(repo, name);
  const found: NamedCommit | undefined = /^[0-9a-f]{4,64}$/.test(name) ? revisions.named(repo, name) : undefined;
  return found?.kind === "commit" ? found : undefined;
}

/** The shortest beginning of a path that `find` knows, and what comes after it: no ref is the beginning of another. */
function leading<T>(path: string, find: (name: string) => T | undefined): { value: T; rest: string } | undefined {
  const parts = path.split("/");
  for (let count = 1; count <= Math.min(parts.length, 128); count++) {
    const value = find(parts.slice(0, count).join("/"));
    if (value !== undefined) return { value, rest: parts.slice(count).join("/") };
  }
  return undefined;
}
