import { Type } from "@sinclair/typebox";
import { readCode } from "../content/access.ts";
import { json } from "../http/respond.ts";
import type { Access, Call, Route, RouteDoc } from "../http/route.ts";
import { seenRepo } from "../repos/subject.ts";
import type { Services } from "../services.ts";
import { serveArchive } from "./serve.ts";
import type { ArchiveFormat } from "./service.ts";

const R = "/api/v1/repos/:owner/:repo";
const page = "/:owner/:repo/archive/*";
const readsBytes: Access = { ...readCode, sudo: false };

/** Archives of commits (contract git-content.md 5.5), by the API and by the addresses pages link to. */
export function archiveRoutes(services: Services): Route[] {
  const { archives } = services;
  const restOf = (call: Call) => call.params["*"] ?? "";
  const named = (call: Call) => archives.named(seenRepo(call), restOf(call), call.query.getAll("path"));
  const ofFormat =
    (format: ArchiveFormat) =>
    (call: Call): Promise<Response> =>
      serveArchive(services, call, archives.of(seenRepo(call), restOf(call), format, call.query.getAll("path")));
  return [
    {
      method: "GET",
      path: `${R}/archive/*`,
      surface: "api",
      access: readCode,
      doc: doc("repoGetArchive", "Download an archive of a commit", "Branch, tag or commit and format: `main.tar.gz`."),
      handle: (call) => serveArchive(services, call, named(call)),
    },
    {
      method: "GET",
      path: `${R}/zipball/*`,
      surface: "api",
      access: readCode,
      doc: doc("repoGetZipball", "Download a zip of a commit", "Branch, tag or commit."),
      handle: ofFormat("zip"),
    },
    {
      method: "GET",
      path: `${R}/tarball/*`,
      surface: "api",
      access: readCode,
      doc: doc("repoGetTarball", "Download a tar.gz of a commit", "Branch, tag or commit."),
      handle: ofFormat("tar.gz"),
    },
    {
      method: "GET",
      path: `${R}/bundle/*`,
      surface: "api",
      access: readCode,
      doc: doc("repoGetBundle", "Download a git bundle of a commit and its history", "Branch, tag or commit."),
      handle: ofFormat("bundle"),
    },
    {
      method: "GET",
      path: page,
      surface: "bytes",
      access: readsBytes,
      handle: (call) => serveArchive(services, call, named(call)),
    },
    {
      method: "POST",
      path: page,
      surface: "bytes",
      access: readsBytes,
      handle: async (call) => json({ complete: await archives.prepare(named(call)) }),
    },
  ];
}

function doc(id: string, summary: string, archive: string): RouteDoc {
  return {
    id,
    tag: "repository",
    summary,
    params: { path: archive },
    query: [
      {
        name: "path",
        description: "Only this file or directory; may be given several times.",
        schema: Type.Array(Type.String()),
      },
    ],
    answers: {
      200: { description: "The archive.", mediaType: "application/octet-stream" },
      206: { description: "The part that was asked for." },
      304: { description: "The caller has it already." },
      400: { description: "The format is unknown, or a path is not there." },
      404: { description: "There is no such branch, tag or commit." },
      416: { description: "The part lies behind the end." },
    },
  };
}
