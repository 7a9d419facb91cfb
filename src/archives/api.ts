import { readBytes, readCode } from "../content/access.ts";
import { asks, textsParam, type ValuesOf } from "../http/query.ts";
import { json } from "../http/respond.ts";
import type { Call, Route, RouteDoc } from "../http/route.ts";
import { seenRepo } from "../repos/subject.ts";
import type { Services } from "../services.ts";
import { serveArchive } from "./serve.ts";
import type { ArchiveFormat } from "./service.ts";

const R = "/api/v1/repos/:owner/:repo";
const page = "/:owner/:repo/archive/*";
const narrowing = { path: textsParam("Only this file or directory; may be given several times.") };

type Narrowing = ValuesOf<typeof narrowing>;

/** Archives of commits (contract git-content.md 5.5), through the API and at the URLs pages link to. */
export function archiveRoutes(services: Services): Route[] {
  const { archives, storage } = services;
  const restOf = (call: Call) => call.params["*"] ?? "";
  const named = (call: Call, { path }: Narrowing) => archives.named(seenRepo(call), restOf(call), path);
  const ofFormat =
    (format: ArchiveFormat) =>
    (call: Call, { path }: Narrowing): Promise<Response> =>
      serveArchive(services, call, archives.of(seenRepo(call), restOf(call), format, path));
  return [
    {
      method: "GET",
      path: `${R}/archive/*`,
      surface: "api",
      access: readCode,
      doc: doc("repoGetArchive", "Download an archive of a commit", "Branch, tag or commit and format: `main.tar.gz`."),
      ...asks(narrowing, (call, asked) => serveArchive(services, call, named(call, asked))),
    },
    {
      method: "GET",
      path: `${R}/zipball/*`,
      surface: "api",
      access: readCode,
      doc: doc("repoGetZipball", "Download a zip of a commit", "Branch, tag or commit."),
      ...asks(narrowing, ofFormat("zip")),
    },
    {
      method: "GET",
      path: `${R}/tarball/*`,
      surface: "api",
      access: readCode,
      doc: doc("repoGetTarball", "Download a tar.gz of a commit", "Branch, tag or commit."),
      ...asks(narrowing, ofFormat("tar.gz")),
    },
    {
      method: "GET",
      path: `${R}/bundle/*`,
      surface: "api",
      access: readCode,
      doc: doc("repoGetBundle", "Download a git bundle of a commit and its history", "Branch, tag or commit."),
      ...asks(narrowing, ofFormat("bundle")),
    },
    {
      method: "GET",
      path: page,
      surface: "bytes",
      access: readBytes,
      ...asks(narrowing, (call, asked) => serveArchive(services, call, named(call, asked))),
    },
    {
      method: "POST",
      path: page,
      surface: "bytes",
      access: readBytes,
      // Only GET handlers are repeated automatically when an object must be read elsewhere.
      ...asks(narrowing, async (call, asked) =>
        json({ complete: await archives.prepare(await storage.reading(() => named(call, asked))) }),
      ),
    },
  ];
}

function doc(id: string, summary: string, archive: string): RouteDoc {
  return {
    id,
    tag: "repository",
    summary,
    params: { path: archive },
    answers: {
      200: { description: "The archive.", mediaType: "application/octet-stream" },
      206: { description: "The requested range." },
      304: { description: "Not modified." },
      400: { description: "The format is unknown, or a path does not exist." },
      404: { description: "There is no such branch, tag or commit." },
      416: { description: "The range is beyond the end." },
    },
  };
}
