import { readBytes } from "../../src/content/access.ts";
import { serveFile, serveMedia } from "../../src/content/raw/serve.ts";
import { isOid } from "../../src/git/objects/types.ts";
import { type Call, param, type Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { Sources } from "./sources.ts";

/** Files by blob id. Files by path are next to the API, in src/content/raw. */
export function blobPages(sources: Sources): Route[] {
  return (
    [
      ["raw", serveFile],
      ["media", serveMedia],
    ] as const
  ).map(([word, send]) => ({
    method: "GET",
    path: `/:owner/:repo/${word}/blob/:sha`,
    surface: "bytes",
    access: readBytes,
    handle: (call) => blob(sources, call, send),
  }));
}

async function blob({ services }: Sources, call: Call, send: typeof serveMedia): Promise<Response> {
  const seen = seenRepo(call);
  const oid = param(call, "sha").toLowerCase();
  const at = services.revisions.head(seen);
  const mayShow = at && isOid(oid) && services.revisions.mayShow(seen, oid);
  const header = mayShow ? services.files.header(seen, oid) : undefined;
  if (!at || header?.type !== "blob") throw new NotFound();
  const entry = { path: "", name: oid, kind: "file", isExecutable: false, oid, sizeBytes: header.sizeBytes } as const;
  return send(services, call, seen, at, entry);
}
