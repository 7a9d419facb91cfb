import { readBytes } from "../../src/content/access.ts";
import { decodeText, isBinary } from "../../src/content/texts.ts";
import { type Call, param, type Route } from "../../src/http/route.ts";
import { beforeSigningIn } from "../../src/identity/access.ts";
import { BadRequest, NotFound } from "../../src/kernel/errors.ts";
import { type DocumentKind, documentKind } from "../../src/markup/kinds.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import { placeOf } from "../content/place.ts";
import type { RefKind } from "../links.ts";
import { apiFrame, diagramFrame, type Frame, frameResponse, recordingFrame } from "./frame.ts";

const KINDS: readonly RefKind[] = ["branch", "tag", "commit"];
/** Larger files are not shown (web.md 4.9). */
const MAX_BYTES = 4 * 1024 * 1024;
const IMMUTABLE = "public, max-age=31536000, immutable";

/** Libraries that show diagrams, recordings and API documents, and the documents they run in. */
export function viewerPages(services: WebServices): Route[] {
  return [
    // Frames without an origin send no cookies, so the libraries are open to everyone, even on a closed site.
    { method: "GET", surface: "open", path: "/-/viewer/:version/:file", access: beforeSigningIn, handle: libraryFile },
    {
      method: "GET",
      surface: "open",
      path: "/-/viewer/mermaid",
      access: beforeSigningIn,
      handle: () => frameResponse(rootOf(services), diagramFrame),
    },
    ...KINDS.map(
      (kind): Route => ({
        method: "GET",
        surface: "bytes",
        path: `/:owner/:repo/render/${kind}/*`,
        access: readBytes,
        handle: (call) => renderedFile(services, call, kind),
      }),
    ),
  ];
}

const rootOf = ({ links }: WebServices) => links.rootUrl.replace(/\/$/, "");

async function libraryFile(call: Call): Promise<Response> {
  const { compressedViewerFile, isViewerFile } = await import("./files.ts");
  const name = param(call, "file");
  if (!isViewerFile(name)) throw new NotFound();
  return new Response(await compressedViewerFile(name), {
    headers: {
      "content-type": name.endsWith(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8",
      "content-encoding": "gzip",
      "cache-control": IMMUTABLE,
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "cross-origin",
    },
  });
}

/** A file as a separate document. @throws NotFound; BadRequest for content that needs no frame */
async function renderedFile(services: WebServices, call: Call, refKind: RefKind): Promise<Response> {
  const { seen, at, path } = placeOf(services, call, "render", refKind);
  const entry = services.files.find(seen, at.commit, path);
  if (entry?.kind !== "file") throw new NotFound();
  const bytes = services.files.bytes(seen, entry.oid, MAX_BYTES);
  if (!bytes || isBinary(bytes)) throw new BadRequest("content.no-frame");
  const text = decodeText(bytes);
  const kind = documentKind(path);
  // Other documents become part of a page (contract web.md 4.9).
  const frame = kind === "notebook" ? await notebookFrame(services, seen, text) : frameOf(kind, entry.name, text);
  if (!frame) throw new BadRequest("content.no-frame");
  return frameResponse(rootOf(services), frame);
}

/** Its links are inert: a document in a frame is for reading, not for navigation. */
async function notebookFrame({ markup, references }: WebServices, seen: SeenRepo, text: string): Promise<Frame> {
  const marked = await markup.document("notebook", text, { links: { kind: "none" } });
  const [html] = references.resolve({ principal: seen.principal, repo: seen }, marked);
  return html === undefined ? {} : { html };
}

function frameOf(kind: DocumentKind | undefined, name: string, text: string): Frame | undefined {
  if (kind === "recording") return recordingFrame(text);
  if (kind !== "api") return undefined;
  try {
    return apiFrame(text, name.toLowerCase().endsWith(".json"));
  } catch {
    return undefined;
  }
}
