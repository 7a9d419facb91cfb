import { GitError } from "../errors.ts";
import { decodeName, encodeName } from "../objects/names.ts";
import { colourSequence } from "./colours.ts";
import type { CommitText } from "./commit-text.ts";
import type { PrettyContext } from "./context.ts";
import { byteText, readDescribeOptions, readTrailerOptions } from "./options.ts";
import { MAX_COLUMNS, type Padding, pad, readPadding } from "./padding.ts";
import { type Expand, simplePlaceholder } from "./placeholders.ts";
import { formatTrailers } from "./trailers.ts";
import { wrapText } from "./wrap.ts";

/** The argument of `%C(…)` is not a colour. */
export class BadColour extends GitError {
  override name = "BadColour";
}

/** `%+x`, `%-x` and `% x`. */
type Magic = "" | "+" | "-" | " ";

/** What may follow a `%`. */
type Placeholder =
  | { readonly kind: "expand"; readonly expand: Expand; readonly isColour?: boolean }
  | { readonly kind: "pad"; readonly padding: Padding }
  | { readonly kind: "wrap"; readonly wrap: Wrap }
  /** Not a git placeholder; padding still applies to it. */
  | { readonly kind: "unknown" };

type Piece = string | (Placeholder & { readonly magic: Magic; readonly source: string });

interface Wrap {
  readonly width: number;
  readonly first: number;
  readonly rest: number;
}

const NO_WRAP: Wrap = { width: 0, first: 0, rest: 0 };

/** A compiled, reusable `format:` text. */
export type UserFormat = (commit: CommitText, context: PrettyContext) => string;

/** @throws BadColour */
export function compileUserFormat(text: string): UserFormat {
  const pieces = readPieces(text);
  const isPlain = pieces.every((piece) => typeof piece === "string" || (piece.kind === "expand" && piece.magic === ""));
  if (!isPlain) return (commit, context) => new Writer(commit, context).write(pieces);
  return (commit, context) => {
    let out = "";
    for (const piece of pieces) {
      if (typeof piece === "string") out += piece;
      else if (piece.kind === "expand") out += piece.expand(commit, context) ?? piece.source;
    }
    return out;
  };
}

function readPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  let literal = "";
  const add = (piece: Piece) => {
    if (literal !== "") pieces.push(literal);
    literal = "";
    pieces.push(piece);
  };
  for (let at = 0; at < text.length; ) {
    const percent = text.indexOf("%", at);
    literal += text.slice(at, percent < 0 ? undefined : percent);
    if (percent < 0) break;
    at = percent + 1;
    if (text[at] === "%") {
      literal += "%";
      at++;
      continue;
    }
    const next = text[at];
    const magic: Magic = next === "+" || next === "-" || next === " " ? next : "";
    const found = magic !== "" && text[at + 1] === "w" ? undefined : readPlaceholder(text, at + magic.length);
    if (found) {
      const end = at + magic.length + found.length;
      add({ ...found.placeholder, magic, source: text.slice(percent, end) });
      at = end;
      continue;
    }
    // A sign before an unknown placeholder is still consumed, but not before "w".
    const isTaken = magic !== "" && text[at + 1] !== "w";
    add({ kind: "unknown", magic: isTaken ? magic : "", source: isTaken ? "" : "%" });
    if (isTaken) at++;
  }
  if (literal !== "") pieces.push(literal);
  return pieces;
}

function readPlaceholder(text: string, at: number): { placeholder: Placeholder; length: number } | undefined {
  const expand = (value: Expand, length: number) => ({
    placeholder: { kind: "expand", expand: value } as const,
    length,
  });
  switch (text[at]) {
    case "n":
      return expand(() => "\n", 1);
    case "x": {
      const hex = /^[0-9a-fA-F]{2}/.exec(text.slice(at + 1, at + 3))?.[0];
      if (hex === undefined) return undefined;
      const byte = byteText(Number.parseInt(hex, 16));
      return expand(() => byte, 3);
    }
    case "C":
      return readColour(text, at);
    case "w":
      return readWrap(text, at);
    case "<":
    case ">": {
      const found = readPadding(text, at);
      return found && { placeholder: { kind: "pad", padding: found.padding }, length: found.length };
    }
    case "(":
      return readBracket(text, at);
    default: {
      const found = simplePlaceholder(text, at);
      return found && expand(found.expand, found.length);
    }
  }
}

/** Colours are off, so everything except `%C(always,…)` is empty. */
function readColour(text: string, at: number): { placeholder: Placeholder; length: number } | undefined {
  const nothing = (length: number, sequence = "") => ({
    placeholder: { kind: "expand", expand: () => sequence, isColour: true } as const,
    length,
  });
  if (text[at + 1] !== "(") {
    const name = ["red", "green", "blue", "reset"].find((word) => text.startsWith(word, at + 1));
    return name === undefined ? undefined : nothing(1 + name.length);
  }
  const end = text.indexOf(")", at);
  if (end < 0) return undefined;
  const words = text.slice(at + 2, end);
  const length = end + 1 - at;
  if (!words.startsWith("always,")) return nothing(length);
  const sequence = colourSequence(words.slice("always,".length));
  if (sequence === undefined) throw new BadColour("unable to parse --pretty format");
  return nothing(length, sequence);
}

function readWrap(text: string, at: number): { placeholder: Placeholder; length: number } | undefined {
  const match = /^w\((?:[ \t]*(\d+)(?:,[ \t]*(\d+)(?:,[ \t]*(\d+))?)?)?\)/.exec(text.slice(at, at + 64));
  if (!match) return undefined;
  const [width = 0, first = 0, rest = 0] = match.slice(1).map((number) => Number(number ?? 0));
  if (Math.max(width, first, rest) > MAX_COLUMNS) return undefined;
  return { placeholder: { kind: "wrap", wrap: { width, first, rest } }, length: match[0].length };
}

function readBracket(text: string, at: number): { placeholder: Placeholder; length: number } | undefined {
  const end = text.indexOf(")", at);
  const match = /^(trailers|describe)(?::(.*))?$/s.exec(end < 0 ? "" : text.slice(at + 1, end));
  if (!match) return undefined;
  const length = end + 1 - at;
  if (match[1] === "trailers") {
    const options = readTrailerOptions(match[2] ?? "");
    if (!options) return undefined;
    const expand: Expand = (commit) => formatTrailers(commit.message.slice(commit.subjectStart), options);
    return { placeholder: { kind: "expand", expand }, length };
  }
  const options = readDescribeOptions(match[2] ?? "");
  if (!options) return undefined;
  const expand: Expand = (commit, context) => (context.describe ? context.describe(commit.oid, options) : "");
  return { placeholder: { kind: "expand", expand }, length };
}

function insertAtByte(text: string, at: number, added: string): string {
  const bytes = encodeName(text);
  return decodeName(Buffer.concat([bytes.subarray(0, at), encodeName(added), bytes.subarray(at)]));
}

/** Writes one commit in a format that pads, wraps or depends on preceding output. */
class Writer {
  private out = "";
  private wrapStart = 0;
  private wrap = NO_WRAP;
  private padding: Padding | undefined;

  constructor(
    private readonly commit: CommitText,
    private readonly context: PrettyContext,
  ) {}

  write(pieces: readonly Piece[]): string {
    for (let at = 0; at < pieces.length; at++) {
      const piece = pieces[at]!;
      if (typeof piece === "string") this.out += piece;
      else if (this.padding === undefined) this.plain(piece);
      else at = this.padded(pieces, at);
    }
    this.rewrap(NO_WRAP);
    return this.out;
  }

  private plain(piece: Exclude<Piece, string>): void {
    const before = this.out;
    if (piece.kind === "unknown") {
      this.finish(before, piece.magic);
      this.out += piece.source;
    } else if (piece.kind === "expand") {
      const text = piece.expand(this.commit, this.context);
      this.out += text ?? piece.source;
      if (text !== undefined) this.finish(before, piece.magic);
    } else {
      this.change(piece);
      this.finish(before, piece.magic);
    }
  }

  /** Colours before a placeholder are padded together with it. Returns the index of the last piece used. */
  private padded(pieces: readonly Piece[], from: number): number {
    let padding = this.padding!;
    const before = this.out;
    let text = "";
    let at = from;
    let source = "";
    for (; ; at++) {
      const piece = pieces[at];
      if (piece === undefined || typeof piece === "string") {
        at--;
        break;
      }
      if (piece.kind === "pad") {
        // Of a second padding, git uses only the side and truncation.
        padding = { ...padding, side: piece.padding.side, cut: piece.padding.cut };
        break;
      }
      if (piece.kind === "wrap") {
        // git counts from the start of the text being padded here, so everything before it is wrapped too.
        this.wrap = piece.wrap;
        this.wrapStart = text.length;
        break;
      }
      const isUninteresting = piece.kind === "expand" && (at === from || piece.magic === "");
      const expanded = isUninteresting ? piece.expand(this.commit, this.context) : undefined;
      text += expanded ?? "";
      // The sign of a placeholder that follows a colour is consumed with the colour.
      const rest = piece.kind === "unknown" ? piece.magic : piece.source.slice(1);
      if (expanded === undefined) source = at === from ? piece.source : rest;
      if (!isUninteresting || !piece.isColour) break;
    }
    this.padding = undefined;
    this.out = pad(this.out, text, padding, this.context.graphColumns ?? 0);
    const first = pieces[from]!;
    this.finish(before, typeof first === "string" ? "" : first.magic);
    this.out += source;
    return at;
  }

  private change(piece: Exclude<Piece, string>): void {
    if (piece.kind === "pad") this.padding = piece.padding;
    else if (piece.kind === "wrap") this.rewrap(piece.wrap);
  }

  private finish(before: string, magic: Magic): void {
    if (magic === "") return;
    const isEmpty = this.out.length === before.length;
    if (magic === "-" && isEmpty) {
      let end = this.out.length;
      while (end > 0 && this.out[end - 1] === "\n") end--;
      this.out = this.out.slice(0, end);
    } else if (magic !== "-" && !isEmpty) {
      const sign = magic === "+" ? "\n" : " ";
      // If padding removed spaces, git's insertion point is off by that many bytes.
      if (this.out.startsWith(before)) this.out = before + sign + this.out.slice(before.length);
      else this.out = insertAtByte(this.out, encodeName(before).length, sign);
    }
  }

  /** Wraps the text written since the last `%w` to its width; later text gets the new one. */
  private rewrap(next: Wrap): void {
    const { width, first, rest } = this.wrap;
    if (width === next.width && first === next.first && rest === next.rest) return;
    if (this.wrapStart < this.out.length) {
      const tail = this.out.slice(this.wrapStart);
      // git's text ends at a NUL here.
      const nul = tail.indexOf("\0");
      this.out = this.out.slice(0, this.wrapStart) + wrapText(nul < 0 ? tail : tail.slice(0, nul), first, rest, width);
    }
    this.wrapStart = this.out.length;
    this.wrap = next;
  }
}
