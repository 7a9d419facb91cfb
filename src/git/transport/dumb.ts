import { statSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { encodeName } from "../objects/names.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import { gathered, type RefSource } from "./advertise.ts";

/**
 * The "dumb" protocol (gitprotocol-http): plain files, for clients without smart HTTP. A request path is never turned
 * into a file path: it is parsed into one of the few kinds of file there are, named by ids, and only those are looked
 * up. Whole packs are served only if every object in them is reachable from refs; any other object is served
 * individually as a loose one, however it is stored.
 */
export type DumbFile =
  | { readonly kind: "head" | "info-refs" | "pack-list" }
  | { readonly kind: "loose-object"; readonly oid: Oid }
  | { readonly kind: "pack" | "pack-index"; readonly packId: Oid };

/**
 * Parses a path below the repository's URL (`objects/pack/pack-….idx`); returns undefined if nothing is served there.
 */
export function parseDumbPath(path: string): DumbFile | undefined {
  if (path === "HEAD") return { kind: "head" };
  if (path === "info/refs") return { kind: "info-refs" };
  if (path === "objects/info/packs") return { kind: "pack-list" };
  const loose = /^objects\/([0-9a-f]{2})\/([0-9a-f]{38}|[0-9a-f]{62})$/.exec(path);
  if (loose) return { kind: "loose-object", oid: `${loose[1]}${loose[2]}` };
  const pack = /^objects\/pack\/pack-([0-9a-f]{40}|[0-9a-f]{64})\.(pack|idx)$/.exec(path);
  if (pack) return { kind: pack[2] === "pack" ? "pack" : "pack-index", packId: pack[1]! };
  return undefined;
}

export interface DumbAnswer {
  readonly contentType: string;
  /** Named by its content, so it may be cached forever. Anything else must not be cached at all. */
  readonly immutable: boolean;
  /** The bytes, or the file that holds them. */
  readonly content:
    | { readonly bytes: Uint8Array }
    | { readonly path: string; readonly sizeBytes: number }
    /** For a loose object, to be deflated: its header, and the id of the object that follows it. */
    | { readonly head: Uint8Array; readonly oid: Oid };
}

/** What is reachable from the refs. Queried only as needed by a request. */
export interface DumbReach {
  has(oid: Oid): boolean;
  /** Names (`pack-<id>`) of packs whose every object is reachable. */
  packs(): ReadonlySet<string>;
}

/** The answer to a request; undefined if the file does not exist or may not be served. */
export function answerDumb(
  repoDir: string,
  file: DumbFile,
  refs: RefSource,
  reach: DumbReach,
  objects: ObjectSource,
): DumbAnswer | undefined {
  switch (file.kind) {
    case "head":
      return text(`ref: ${refs.head()}\n`);
    case "info-refs":
      return text(Buffer.concat([...gathered(infoRefs(refs))]));
    case "pack-list":
      return text(
        `${[...reach.packs()]
          .sort()
          .map((name) => `P ${name}.pack\n`)
          .join("")}\n`,
      );
    case "loose-object":
      return objects.has(file.oid) && reach.has(file.oid) ? looseObject(repoDir, file.oid, objects) : undefined;
    case "pack":
      if (!reach.packs().has(`pack-${file.packId}`)) return undefined;
      return stored(join(repoDir, "objects", "pack", `pack-${file.packId}.pack`), "application/x-git-packed-objects");
    case "pack-index":
      if (!reach.packs().has(`pack-${file.packId}`)) return undefined;
      return stored(
        join(repoDir, "objects", "pack", `pack-${file.packId}.idx`),
        "application/x-git-packed-objects-toc",
      );
  }
}

function* infoRefs(refs: RefSource): Generator<Uint8Array> {
  for (const ref of refs.snapshot().refs) {
    yield encodeName(`${ref.oid}\t${ref.name}\n`);
    if (ref.peeled) yield encodeName(`${ref.peeled}\t${ref.name}^{}\n`);
  }
}

/** Larger objects are deflated in pieces. */
const WHOLE_BYTES = 256 * 1024;

function looseObject(repoDir: string, oid: Oid, objects: ObjectSource): DumbAnswer | undefined {
  const contentType = "application/x-git-loose-object";
  const file = stored(join(repoDir, "objects", oid.slice(0, 2), oid.slice(2)), contentType);
  const header = file ? undefined : objects.header(oid);
  if (!header) return file;
  const head = Buffer.from(`${header.type} ${header.sizeBytes}\0`);
  if (header.sizeBytes > WHOLE_BYTES) return { contentType, immutable: true, content: { head, oid } };
  const data = objects.read(oid)?.data;
  if (!data) return undefined;
  return { contentType, immutable: true, content: { bytes: deflateSync(Buffer.concat([head, data]), { level: 1 }) } };
}

function text(content: string | Uint8Array): DumbAnswer {
  const bytes = typeof content === "string" ? encodeName(content) : content;
  return { contentType: "text/plain; charset=utf-8", immutable: false, content: { bytes } };
}

function stored(path: string, contentType: string): DumbAnswer | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) return undefined;
  return { contentType, immutable: true, content: { path, sizeBytes: stat.size } };
}
