import { CorruptObject, PatchTooLarge } from "../errors.ts";
import { parseCommitLinks } from "../objects/commit.ts";
import { encodeName } from "../objects/names.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import { Abbreviator } from "../pretty/abbreviate.ts";
import { CommitText } from "../pretty/commit-text.ts";
import type { PrettyContext } from "../pretty/context.ts";
import { type DateStyle, systemClock } from "../pretty/dates.ts";
import { splitIdent, trimEnd } from "../pretty/ident.ts";
import { fromLine, isBeyondAscii, subjectLine } from "../pretty/mail.ts";
import { identDate } from "../pretty/placeholders.ts";
import type { FileChange } from "./change.ts";
import { changedFiles } from "./changes.ts";
import { ByteWriter } from "./print/byte-writer.ts";
import type { DiffFormat, PatchOptions } from "./print/options.ts";
import { type PatchContext, printPatch } from "./print/patch.ts";
import { DiffPrinter } from "./print/print.ts";

/** The position of a mail in a series. */
export interface SeriesPlace {
  readonly number: number;
  readonly total: number;
}

export interface PatchLimits extends PatchOptions {
  /** 64 MiB of patch by default. */
  readonly maxPatchBytes?: number;
  /** The last line of a mail, where git puts its version; "Hearth" by default, empty for none. */
  readonly signature?: string;
}

/** Larger files are treated as binary and left out. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_PATCH_BYTES = 64 * 1024 * 1024;
const MAX_FILES = 100_000;

/**
 * The patch between two trees as `git diff --binary -M` prints it, one file at a time.
 * @throws CorruptObject when an object is missing; PatchTooLarge when the patch grows beyond its limit
 */
export function* diffPatch(
  store: ObjectSource,
  oldTree: Oid | undefined,
  newTree: Oid | undefined,
  options: PatchLimits = {},
): Generator<Uint8Array> {
  const { files, truncated } = changedFiles(store, oldTree, newTree, { maxFiles: MAX_FILES });
  if (truncated) throw new PatchTooLarge("too many files differ for a patch");
  const abbreviator = new Abbreviator(store);
  const context: PatchContext = { store, abbreviate: (oid) => abbreviator.abbreviate(oid) };
  let left = options.maxPatchBytes ?? MAX_PATCH_BYTES;
  for (const change of files) {
    const patch = filePatch(context, change, { binary: true, maxFileBytes: MAX_FILE_BYTES, ...options });
    left -= patch.length;
    if (left < 0) throw new PatchTooLarge();
    yield patch;
  }
}

/** The output of `git diff` for one file. @throws CorruptObject when a blob is missing */
function filePatch(context: PatchContext, change: FileChange, options: PatchOptions): Uint8Array {
  const pieces: Uint8Array[] = [];
  const writer = new ByteWriter((piece) => {
    pieces.push(piece);
  });
  printPatch(context, change, options, writer);
  writer.flush();
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}

/**
 * One commit as a mail for `git am`, in the form of `git format-patch`. The diff is against the first parent. A commit
 * without changes yields no mail: `git am` would stop at it.
 * @throws CorruptObject when an object is missing; PatchTooLarge when the patch grows beyond its limit
 */
export function formatPatch(
  store: ObjectSource,
  oid: Oid,
  place: SeriesPlace = { number: 1, total: 1 },
  options: PatchLimits = {},
): Uint8Array {
  const commit = new CommitText({ oid, data: readCommit(store, oid) });
  const parent = commit.parents[0];
  const parentTree = parent === undefined ? undefined : parseCommitLinks(readCommit(store, parent)).tree;
  let left = options.maxPatchBytes ?? MAX_PATCH_BYTES;
  const printer = new DiffPrinter(store, {
    binary: true,
    maxFileBytes: MAX_FILE_BYTES,
    ...options,
    formats: new Set<DiffFormat>(["stat", "summary", "patch"]),
    stat: { width: MAIL_WIDTH },
  });
  const changes = printer.changes(parentTree, commit.tree, MAX_FILES);
  if (changes.length > MAX_FILES) throw new PatchTooLarge("too many files differ for a patch");
  if (changes.length === 0) return new Uint8Array(0);
  const pieces: Uint8Array[] = [encodeName(mailHead(commit, place)), Buffer.from("---\n")];
  printer.print(changes, (piece) => {
    left -= piece.length;
    if (left < 0) throw new PatchTooLarge();
    pieces.push(piece);
  });
  const signature = options.signature ?? "Hearth";
  pieces.push(Buffer.from(signature === "" ? "\n" : `-- \n${signature}\n\n`));
  return Buffer.concat(pieces);
}

/** Width of a diffstat in a mail, in columns. */
const MAIL_WIDTH = 72;

function readCommit(store: ObjectSource, oid: Oid): Uint8Array {
  const object = store.read(oid);
  if (object?.type !== "commit") throw new CorruptObject(`commit ${oid} is missing`);
  return object.data;
}

function mailHead(commit: CommitText, { number, total }: SeriesPlace): string {
  const digits = String(total).length;
  const tag = total === 1 ? "[PATCH] " : `[PATCH ${String(number).padStart(digits, "0")}/${total}] `;
  const author = splitIdent(commit.signature("author") ?? "");
  let text = `From ${commit.oid} Mon Sep 17 00:00:00 2001\n`;
  if (author) {
    const date = identDate(author.date ?? "0", author.zone ?? 0, MAIL_DATES, MAIL_CONTEXT);
    text += `${fromLine(author.name, author.email)}Date: ${date}\n`;
  }
  text += subjectLine(commit.subject(" "), tag);
  if (isBeyondAscii(commit.message)) {
    text += "MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n";
  }
  const body = trimEnd(
    commit.body
      .split("\n")
      .map((line) => trimEnd(line))
      .join("\n"),
  );
  return body === "" ? `${trimEnd(text)}\n\n` : `${text}\n${body}\n`;
}

const MAIL_DATES: DateStyle = { kind: "rfc", local: false };
const MAIL_CONTEXT: PrettyContext = { clock: systemClock(), abbreviate: (oid) => oid };
