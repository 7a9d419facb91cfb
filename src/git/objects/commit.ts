import { CorruptObject } from "../errors.ts";
import { trimEndOf } from "../text-ends.ts";
import { formatOf, type ObjectFormat, SHA1, SHA256 } from "./format.ts";
import { hexDigit } from "./hash.ts";
import { decodeText, formatHeader, type Header, headerEnd, readHeaders } from "./headers.ts";
import { formatSignature, parseSignature, type Signature } from "./signature.ts";
import { type Oid, readOid } from "./types.ts";

export type { Signature } from "./signature.ts";

export interface Commit {
  readonly tree: Oid;
  readonly parents: readonly Oid[];
  readonly author: Signature;
  readonly committer: Signature;
  /** The message's encoding when it is not UTF-8. */
  readonly encoding?: string;
  /** ASCII-armoured OpenPGP, SSH or X.509 signature over the commit without this header. */
  readonly signature?: string;
  /** Headers this engine does not interpret (`mergetag`, `HG:…`), in order. */
  readonly extraHeaders?: readonly Header[];
  readonly message: string;
}

/** The parts of a commit a history walk needs. */
export interface CommitLinks {
  readonly tree: Oid;
  readonly parents: Oid[];
  /** Seconds since 1970; 0 when the line is malformed. */
  readonly committerTime: number;
}

/**
 * Reads a commit for display. Tolerant of everything but a missing tree: malformed signatures, dates and encodings
 * come out empty or 0.
 * @throws CorruptObject when there is no tree line
 */
export function parseCommit(data: Uint8Array): Commit {
  const { headers, messageStart } = readHeaders(data, decodeText);
  const encoding = headers.find((header) => header.name === "encoding")?.value;
  const named = encoding === undefined ? headers : readHeaders(data, (bytes) => decodeText(bytes, encoding)).headers;
  let tree: Oid | undefined;
  let author: Signature | undefined;
  let committer: Signature | undefined;
  let signature: string | undefined;
  const signatureName = signatureHeader(data[45] === 0x0a ? SHA1 : SHA256);
  const parents: Oid[] = [];
  const extraHeaders: Header[] = [];
  for (const header of named) {
    const parent = header.name === "parent" && author === undefined ? readOid(header.value) : undefined;
    if (header.name === "tree" && tree === undefined) tree = readOid(header.value);
    else if (parent !== undefined) parents.push(parent);
    else if (header.name === "author" && author === undefined) author = parseSignature(header.value);
    else if (header.name === "committer" && committer === undefined) committer = parseSignature(header.value);
    else if (header.name === signatureName && signature === undefined) signature = header.value;
    else if (header.name !== "encoding") extraHeaders.push(header);
  }
  if (tree === undefined) throw new CorruptObject("commit without a tree");
  const unidentified: Signature = { name: "", email: "", timestamp: 0, offsetMinutes: 0 };
  return {
    tree,
    parents,
    author: author ?? unidentified,
    committer: committer ?? author ?? unidentified,
    ...(encoding === undefined ? {} : { encoding }),
    ...(signature === undefined ? {} : { signature }),
    ...(extraHeaders.length === 0 ? {} : { extraHeaders }),
    message: decodeText(data.subarray(messageStart), encoding),
  };
}

/** Serializes a commit, always as UTF-8 (so `encoding` is not written). */
export function serializeCommit(commit: Commit): Uint8Array {
  let text = `tree ${commit.tree}\n`;
  for (const parent of commit.parents) text += `parent ${parent}\n`;
  text += `author ${formatSignature(commit.author)}\ncommitter ${formatSignature(commit.committer)}\n`;
  for (const header of commit.extraHeaders ?? []) text += formatHeader(header);
  if (commit.signature !== undefined)
    text += formatHeader({ name: signatureHeader(formatOf(commit.tree)), value: commit.signature });
  return new TextEncoder().encode(`${text}\n${commit.message}`);
}

/** The header that holds a commit's signature in this format (hash-function-transition, "Signed Commits"). */
export function signatureHeader(format: ObjectFormat): string {
  return format.name === "sha1" ? "gpgsig" : `gpgsig-${format.name}`;
}

/** Inserts a signature over the commit's bytes as its last header, as git does. */
export function signedCommit(data: Uint8Array, format: ObjectFormat, signature: string): Uint8Array {
  const end = headerEnd(data);
  const header = formatHeader({ name: signatureHeader(format), value: trimEndOf(signature, "\n") });
  return Buffer.concat([data.subarray(0, end), new TextEncoder().encode(header), data.subarray(end)]);
}

/**
 * The signed payload (the commit's exact bytes without its signature headers) and the signature.
 * Undefined when the commit is not signed.
 */
export function signedPayload(data: Uint8Array): { payload: Uint8Array; signature: string } | undefined {
  const end = headerEnd(data);
  const kept: Uint8Array[] = [];
  let signature: string | undefined;
  let at = 0;
  let lineOf: "kept" | "signature" | "other signature" = "kept";
  const own = signatureHeader(data[45] === 0x0a ? SHA1 : SHA256);
  while (at < end) {
    const lf = data.indexOf(0x0a, at);
    const next = lf < 0 || lf >= end ? end : lf + 1;
    const line = decodeText(data.subarray(at, next));
    if (!line.startsWith(" ")) {
      const keyword = line.slice(0, line.indexOf(" "));
      const isSignature = keyword === "gpgsig" || keyword === "gpgsig-sha256";
      lineOf = keyword === own ? "signature" : isSignature ? "other signature" : "kept";
    }
    if (lineOf === "kept") kept.push(data.subarray(at, next));
    else if (lineOf === "signature") signature = (signature ?? "") + line.replace(/^(?:gpgsig(?:-sha256)?)? /, "");
    at = next;
  }
  if (signature === undefined) return undefined;
  kept.push(data.subarray(end));
  return { payload: Buffer.concat(kept), signature };
}

/**
 * Reads only tree, parents and committer time, for walks over many commits.
 * @throws CorruptObject when tree or parent lines are malformed
 */
export function parseCommitLinks(data: Uint8Array): CommitLinks {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const header = bytes.toString("latin1", 0, Math.min(data.length, headerScanEnd(data)));
  const digits = header[45] === "\n" ? SHA1.oidDigits : SHA256.oidDigits;
  const tree = readOid(header.slice(5, 5 + digits));
  if (!header.startsWith("tree ") || tree === undefined) throw new CorruptObject("commit without a tree");
  const parents: Oid[] = [];
  let at = digits + 6;
  while (header.startsWith("parent ", at)) {
    const parent = readOid(header.slice(at + 7, at + 7 + digits));
    if (parent?.length !== digits) throw new CorruptObject("commit with a malformed parent");
    parents.push(parent);
    at += digits + 8;
  }
  // git reads no time from a line with nothing after it, and writes 0 to its commit-graph.
  return { tree, parents, committerTime: header.length + 1 < data.length ? committerTimeOf(header, at) : 0 };
}

/**
 * Visits the offsets of the tree's and parents' hexadecimal ids, for walks that allocate no strings.
 * @throws CorruptObject when tree or parent lines are malformed, or of another format
 */
export function eachCommitLink(
  data: Uint8Array,
  format: ObjectFormat,
  visit: (oidAt: number, isTree: boolean) => void,
): void {
  const digits = format.oidDigits;
  if (!hasOidLine(data, 0, TREE_WORD, digits)) throw new CorruptObject("commit without a tree");
  visit(TREE_WORD.length, true);
  for (let at = digits + 6; startsWith(data, at, PARENT_WORD); at += digits + 8) {
    if (!hasOidLine(data, at, PARENT_WORD, digits)) throw new CorruptObject("commit with a malformed parent");
    visit(at + PARENT_WORD.length, false);
  }
}

const TREE_WORD = Buffer.from("tree ");
const PARENT_WORD = Buffer.from("parent ");

function startsWith(data: Uint8Array, at: number, word: Uint8Array): boolean {
  for (let i = 0; i < word.length; i++) if (data[at + i] !== word[i]) return false;
  return true;
}

/** Whether `word`, an id and a line feed are at `at`. */
function hasOidLine(data: Uint8Array, at: number, word: Uint8Array, digits: number): boolean {
  if (!startsWith(data, at, word)) return false;
  const oid = at + word.length;
  for (let i = 0; i < digits; i++) {
    if (hexDigit(data[oid + i] ?? 0) < 0) return false;
  }
  return data[oid + digits] === 0x0a;
}

function committerTimeOf(header: string, from: number): number {
  const line = header.indexOf("\ncommitter ", Math.max(0, from - 1));
  if (line < 0) return 0;
  let end = header.indexOf("\n", line + 1);
  if (end < 0) end = header.length;
  const close = header.lastIndexOf(">", end);
  if (close < line) return 0;
  const time = Number.parseInt(header.slice(close + 1, end), 10);
  return Number.isSafeInteger(time) ? time : 0;
}

/** The committer line comes early in the header, so a long signature or message after it need not be decoded. */
function headerScanEnd(data: Uint8Array): number {
  const COMMITTER = 0x63;
  for (let at = data.indexOf(0x0a); at >= 0 && at + 1 < data.length; at = data.indexOf(0x0a, at + 1)) {
    if (data[at + 1] === 0x0a) return at;
    if (data[at + 1] === COMMITTER) {
      const end = data.indexOf(0x0a, at + 1);
      return end < 0 ? data.length : end;
    }
  }
  return data.length;
}
