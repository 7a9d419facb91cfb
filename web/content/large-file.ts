import type { FileEntry } from "../../src/content/files/entry.ts";
import { decodeText, isBinary } from "../../src/content/texts.ts";
import type { LfsPointer } from "../../src/git/lfs/pointer.ts";
import { mediaKind } from "../components/media-kind.ts";
import { LARGEST_SHOWN_BYTES, type ShownFile } from "./file-body.ts";
import type { Place } from "./place.ts";
import type { Sources } from "./sources.ts";

/** How to show a large file in place of its pointer, by its name and real content (contract web.md 4.9). */
export async function shownLargeFile(
  sources: Sources,
  { seen }: Place,
  file: FileEntry,
  pointer: LfsPointer,
): Promise<ShownFile> {
  const { sizeBytes } = pointer;
  const plain = (kind: "empty" | "binary" | "too-large" | "no-object" | "image" | "video" | "audio" | "pdf") => ({
    body: { kind },
    hasHiddenCharacters: false,
    isText: false,
    largeBytes: sizeBytes,
  });
  const found = sources.services.lfs.pointedAt(seen, pointer);
  if (!found) return plain("no-object");
  const media = mediaKind(file.name);
  if (media) return plain(media);
  if (sizeBytes === 0) return plain("empty");
  if (sizeBytes > LARGEST_SHOWN_BYTES) return plain("too-large");
  const bytes = await found.body.file.bytes();
  if (isBinary(bytes)) return plain("binary");
  const { html, lineCount } = await sources.rendered.codeOf(pointer.oid, file.name, () => decodeText(bytes));
  return { ...plain("empty"), body: { kind: "code", html, lineCount } };
}
