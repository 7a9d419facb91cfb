import type { FileEntry } from "../../src/content/files/entry.ts";
import { isBinary } from "../../src/content/texts.ts";
import { languageOfFile } from "../../src/git/languages/table.ts";
import { csvTable } from "../../src/markup/csv.ts";
import { hasHiddenCharacters } from "../../src/markup/hidden-characters.ts";
import { documentKind, isTextKind } from "../../src/markup/kinds.ts";
import { mediaKind } from "../components/media-kind.ts";
import { refHref } from "../links.ts";
import type { FileBody } from "./file.tsx";
import { shownLargeFile } from "./large-file.ts";
import type { Place } from "./place.ts";
import { linkedFile } from "./readmes.ts";
import type { Sources } from "./sources.ts";

/** Larger files are not shown as text (contract web.md 4.9; the reference stops at 8 MiB, which browsers choke on). */
export const LARGEST_SHOWN_BYTES = 4 * 1024 * 1024;

export interface ShownFile {
  readonly body: FileBody;
  readonly language?: string;
  /** How it is shown, if there are two ways. */
  readonly display?: "source" | "rendered";
  readonly hasHiddenCharacters: boolean;
  /** A text field can hold it. */
  readonly isText: boolean;
  /** Size in bytes of the large file behind an LFS pointer. */
  readonly largeBytes?: number;
}

/** How to show a file, by its name and content; the first matching case wins (contract web.md 4.9). */
export async function shownFile(
  sources: Sources,
  place: Place,
  file: FileEntry,
  wantsSource: boolean,
): Promise<ShownFile> {
  if (file.kind === "symlink")
    return { body: linkBody(sources, place, file), hasHiddenCharacters: false, isText: false };
  const plain = (kind: "empty" | "binary" | "too-large" | "image" | "video" | "audio" | "pdf"): ShownFile => ({
    body: { kind },
    hasHiddenCharacters: false,
    isText: false,
  });
  if (file.sizeBytes === 0) return plain("empty");
  const pointer = sources.services.lfs.isEnabled ? sources.services.files.lfsPointer(place.seen, file) : undefined;
  if (pointer && !wantsSource) return shownLargeFile(sources, place, file, pointer);
  const media = mediaKind(file.name);
  const isSvg = /\.svg$/i.test(file.name);
  if (media && !isSvg) return plain(media);
  const bytes = sources.services.files.bytes(place.seen, file.oid, LARGEST_SHOWN_BYTES);
  if (!bytes) return plain("too-large");
  if (isBinary(bytes)) return plain("binary");
  if (isSvg && !wantsSource) return { ...plain("image"), display: "rendered", isText: true };
  const rendered = wantsSource ? undefined : await renderedBody(sources, place, file);
  const hidden = hasHiddenCharacters(sources.rendered.text(place.seen, file));
  const hasTwoWays = isSvg || documentKind(file.name) !== undefined;
  const language = languageOfFile(file.name)?.name;
  if (rendered) return { body: rendered, display: "rendered", hasHiddenCharacters: hidden, isText: true };
  const code = await sources.rendered.code(place.seen, file);
  const named = language ?? code.language;
  return {
    body: { kind: "code", html: code.html, lineCount: code.lineCount },
    hasHiddenCharacters: hidden,
    isText: true,
    ...(named === undefined ? {} : { language: named }),
    ...(hasTwoWays ? { display: "source" as const } : {}),
  };
}

async function renderedBody(sources: Sources, { seen, ref }: Place, file: FileEntry): Promise<FileBody | undefined> {
  const kind = documentKind(file.name);
  if (isTextKind(kind)) return { kind: "document", html: await sources.rendered.document(seen, file, ref, kind) };
  if (kind === "recording" || kind === "api") return { kind: "frame" };
  if (kind !== "table") return undefined;
  const html = csvTable(sources.rendered.text(seen, file), file.name);
  return html === undefined ? undefined : { kind: "table", html };
}

function linkBody(sources: Sources, { seen, at, ref }: Place, link: FileEntry): FileBody {
  const target = sources.services.files.linkTarget(seen, link);
  const file = linkedFile(sources, seen, at, link);
  if (!file) return { kind: "symlink", target };
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  return { kind: "symlink", target, targetHref: refHref(repo, "src", ref, file.path) };
}
