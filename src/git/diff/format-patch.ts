import { CorruptObject } from "../errors.ts";
import { type Commit, parseCommit } from "../objects/commit.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import { Abbreviator } from "../pretty/abbreviate.ts";
import type { FileChange } from "./change.ts";
import { changedFiles } from "./changes.ts";
import { ByteWriter } from "./print/byte-writer.ts";
import type { DiffFormat, PatchOptions } from "./print/options.ts";
import { type PatchContext, printPatch } from "./print/patch.ts";
import { DiffPrinter } from "./print/print.ts";

/** Where a mail stands in a series. */
export interface SeriesPlace {
  readonly number: number;
  readonly total: number;
}

export interface PatchLimits extends PatchOptions {
  /** 64 MiB of patch by default. */
  readonly maxPatchBytes?: number;
}

/** Larger files are treated as binary ones that are left out. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_PATCH_BYTES = 64 * 1024 * 1024;

/**
 * The patch between two trees as `git diff --binary -M` prints it, a file at a time.
 * @throws CorruptObject when an object is missing; RangeError when the patch grows beyond its limit
 */
export function* diffPatch(
  store: ObjectSource,
  oldTree: Oid | undefined,
  newTree: Oid | undefined,
  options: PatchLimits = {},
): Generator<Uint8Array> {
  const { files, truncated } = changedFiles(store, oldTree, newTree);
  if (truncated) throw new RangeError("too many files differ for a patch");
  const abbreviator = new Abbreviator(store);
  const context: PatchContext = { store, abbreviate: (oid) => abbreviator.abbreviate(oid) };
  let left = options.maxPatchBytes ?? MAX_PATCH_BYTES;
  for (const change of files) {
    const patch = filePatch(context, change, { binary: true, maxFileBytes: MAX_FILE_BYTES, ...options });
    left -= patch.length;
    if (left < 0) throw new RangeError("the patch is too large");
    yield patch;
  }
}

/** What `git diff` prints for one file. @throws CorruptObject when a blob is missing */
export function filePatch(context: PatchContext, change: FileChange, options: PatchOptions): Uint8Array {
  const pieces: Uint8Array[] = [];
  const writer = new ByteWriter((piece) => {
    pieces.push(piece);
  });
  printPatch(context, change, options, writer);
  writer.flush();
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}

/**
 * One commit as a mail that `git am` takes, as `git format-patch` writes it. The diff is against the first parent.
 * @throws CorruptObject when an object is missing; RangeError when the patch grows beyond its limit
 */
export function formatPatch(
  store: ObjectSource,
  oid: Oid,
  place: SeriesPlace = { number: 1, total: 1 },
  options: PatchLimits = {},
): Uint8Array {
  const commit = readCommit(store, oid);
  const parent = commit.parents[0];
  const parentTree = parent === undefined ? undefined : readCommit(store, parent).tree;
  const pieces: Uint8Array[] = [Buffer.from(mailHead(oid, commit, place), "utf8")];
  let left = options.maxPatchBytes ?? MAX_PATCH_BYTES;
  const printer = new DiffPrinter(store, {
    binary: true,
    maxFileBytes: MAX_FILE_BYTES,
    ...options,
    formats: new Set<DiffFormat>(["stat", "summary", "patch"]),
    stat: { width: MAIL_WIDTH },
  });
  const changes = printer.changes(parentTree, commit.tree);
  if (changes.length > 0) pieces.push(Buffer.from("---\n"));
  printer.print(changes, (piece) => {
    left -= piece.length;
    if (left < 0) throw new RangeError("the patch is too large");
    pieces.push(piece);
  });
  pieces.push(Buffer.from("-- \nHearth\n\n", "latin1"));
  return Buffer.concat(pieces);
}

/** Columns of a diffstat in a mail. */
const MAIL_WIDTH = 72;

function readCommit(store: ObjectSource, oid: Oid): Commit {
  const object = store.read(oid);
  if (object?.type !== "commit") throw new CorruptObject(`commit ${oid} is missing`);
  return parseCommit(object.data);
}

function mailHead(oid: Oid, commit: Commit, { number, total }: SeriesPlace): string {
  const message = commit.message.replace(/^\n+/, "").trimEnd();
  const split = /\n[ \t]*\n/.exec(message);
  const subject = (split ? message.slice(0, split.index) : message).replace(/\s*\n\s*/g, " ").trim();
  const body = split ? message.slice(split.index + split[0].length).replace(/^\n+/, "") : "";
  const digits = String(total).length;
  const tag = total === 1 ? "[PATCH]" : `[PATCH ${String(number).padStart(digits, "0")}/${total}]`;
  const { name, email, timestamp, offsetMinutes } = commit.author;
  let text = `From ${oid} Mon Sep 17 00:00:00 2001\n`;
  text += `From: ${headerName(name)} <${email.replace(/[\r\n<>]/g, "")}>\n`;
  text += `Date: ${mailDate(timestamp, offsetMinutes)}\n`;
  text += `Subject: ${tag} ${headerText(subject)}\n`;
  if (!isAscii(body)) {
    text += "MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n";
  }
  return `${text}\n${body === "" ? "" : `${body}\n`}`;
}

function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text);
}

function headerName(name: string): string {
  const clean = name.replace(/[\r\n]/g, " ");
  if (!isAscii(clean)) return encodedWords(clean);
  return /[()<>@,;:\\".[\]]/.test(clean) ? `"${clean.replace(/[\\"]/g, "\\$&")}"` : clean;
}

function headerText(text: string): string {
  return isAscii(text) ? text : encodedWords(text);
}

/** RFC 2047, section 4.2: words of at most 75 characters, each with whole characters only. */
function encodedWords(text: string): string {
  const words: string[] = [];
  let word = "";
  for (const character of text) {
    const encoded = [...Buffer.from(character, "utf8")]
      .map((byte) => {
        if (byte === 0x20) return "=20";
        const plain = String.fromCharCode(byte);
        return /[A-Za-z0-9!*+\-/]/.test(plain) ? plain : `=${byte.toString(16).toUpperCase().padStart(2, "0")}`;
      })
      .join("");
    if (word.length + encoded.length > 60) {
      words.push(word);
      word = "";
    }
    word += encoded;
  }
  if (word !== "") words.push(word);
  return words.map((part) => `=?UTF-8?q?${part}?=`).join("\n ");
}

/** RFC 5322, section 3.3, in the author's own time zone. */
function mailDate(seconds: number, offsetMinutes: number): string {
  const local = new Date((seconds + offsetMinutes * 60) * 1000);
  if (Number.isNaN(local.getTime())) return "Thu, 1 Jan 1970 00:00:00 +0000";
  const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
  const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
  const two = (value: number) => String(value).padStart(2, "0");
  const time = `${two(local.getUTCHours())}:${two(local.getUTCMinutes())}:${two(local.getUTCSeconds())}`;
  const away = Math.abs(offsetMinutes);
  const zone = `${offsetMinutes < 0 ? "-" : "+"}${two(Math.floor(away / 60))}${two(away % 60)}`;
  const date = `${local.getUTCDate()} ${months[local.getUTCMonth()]} ${local.getUTCFullYear()}`;
  return `${days[local.getUTCDay()]}, ${date} ${time} ${zone}`;
}
