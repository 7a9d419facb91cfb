import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isOid, type Oid } from "../objects/types.ts";
import { replacedPacks } from "../odb/replaced.ts";
import { gathered, type RefReader } from "./advertise.ts";

/**
 * The "dumb" protocol (gitprotocol-http): plain files, for clients that cannot do better. Nothing here turns a request
 * path into a file path: the path is read into one of the few things that exist, named by ids, and only those are
 * looked up. Whole packs are served as they are stored, with objects that no ref leads to any more; a host that must
 * not do that answers only `head` and `info-refs`.
 */
export type DumbFile =
  | { readonly kind: "head" | "info-refs" | "pack-list" }
  | { readonly kind: "loose-object"; readonly oid: Oid }
  | { readonly kind: "pack" | "pack-index"; readonly packId: Oid };

/** What a path below the repository's address names (`objects/pack/pack-….idx`); undefined: nothing that is served. */
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
  /** Named by its content: may be kept for ever. Everything else must not be kept at all. */
  readonly immutable: boolean;
  /** The bytes, or the file that holds them. */
  readonly content: { readonly bytes: Uint8Array } | { readonly path: string; readonly sizeBytes: number };
}

/** What is answered for it; undefined when the repository has no such file. */
export function answerDumb(repoDir: string, file: DumbFile, refs: RefReader): DumbAnswer | undefined {
  switch (file.kind) {
    case "head":
      return text(`ref: ${refs.head()}\n`);
    case "info-refs":
      return text(Buffer.concat([...gathered(infoRefs(refs))]));
    case "pack-list":
      return text(
        `${packIds(repoDir)
          .map((id) => `P pack-${id}.pack\n`)
          .join("")}\n`,
      );
    case "loose-object":
      return stored(
        join(repoDir, "objects", file.oid.slice(0, 2), file.oid.slice(2)),
        "application/x-git-loose-object",
      );
    case "pack":
      return stored(join(repoDir, "objects", "pack", `pack-${file.packId}.pack`), "application/x-git-packed-objects");
    case "pack-index":
      return stored(
        join(repoDir, "objects", "pack", `pack-${file.packId}.idx`),
        "application/x-git-packed-objects-toc",
      );
  }
}

function* infoRefs(refs: RefReader): Generator<Uint8Array> {
  for (const ref of refs.list()) {
    yield Buffer.from(`${ref.oid}\t${ref.name}\n`);
    if (ref.peeled) yield Buffer.from(`${ref.peeled}\t${ref.name}^{}\n`);
  }
}

/** Not those that newer ones replace, which may hold what was taken away, nor those of what is unreachable (`.mtimes`). */
function packIds(repoDir: string): Oid[] {
  const names = readdirSync(join(repoDir, "objects", "pack"));
  const passedOver = replacedPacks(repoDir);
  for (const name of names) if (name.endsWith(".mtimes")) passedOver.set(name.slice(0, -".mtimes".length), 0);
  return names
    .map((name) => /^pack-([0-9a-f]+)\.idx$/.exec(name)?.[1] ?? "")
    .filter((id) => isOid(id) && !passedOver.has(`pack-${id}`))
    .sort();
}

function text(content: string | Uint8Array): DumbAnswer {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return { contentType: "text/plain; charset=utf-8", immutable: false, content: { bytes } };
}

function stored(path: string, contentType: string): DumbAnswer | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) return undefined;
  return { contentType, immutable: true, content: { path, sizeBytes: stat.size } };
}
