import { isSpace } from "../diff/lines/text.ts";
import { decodeName } from "../objects/names.ts";
import { MalformedPatch } from "./patch.ts";

/** A mail with a patch, as `git am` and `git mailinfo` read one. Text is as `decodeName` gives it. */
export interface PatchMail {
  readonly name: string;
  readonly email: string;
  /** The `Date:` header as it stands. */
  readonly date: string;
  /** Without `Re:` and `[PATCH 1/2]`. */
  readonly subject: string;
  /** The message below the subject. */
  readonly body: string;
  /** From `---` or the first `diff` on, decoded, latin1. */
  readonly patch: string;
}

const MAX_MAILS = 10_000;

/** Cuts a mailbox at its `From ` lines; a patch that is no mail comes as one piece. Text is latin1. */
export function splitMailbox(data: Uint8Array): string[] {
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("latin1");
  if (!text.startsWith("From ")) return [text];
  const starts: number[] = [];
  for (let at = 0; at >= 0; at = nextMail(text, at + 1)) {
    const end = text.indexOf("\n", at);
    if (end < 0 || end - at < MAX_FROM_LINE) if (isFromLine(text.slice(at, end < 0 ? undefined : end))) starts.push(at);
    if (starts.length > MAX_MAILS) break;
  }
  if (starts.length > MAX_MAILS) throw new MalformedPatch("the mailbox holds too many mails");
  return starts.map((start, i) => text.slice(start, starts[i + 1]));
}

const MAX_FROM_LINE = 300;

function nextMail(text: string, from: number): number {
  const found = text.indexOf("\nFrom ", from - 1);
  return found < 0 ? -1 : found + 1;
}

/** Ends in a time and a year, maybe with more behind it. */
function isFromLine(line: string): boolean {
  return /^From \S+ .*\d{2}:\d{2}:\d{2} .*\d{4}/.test(line);
}

/**
 * Reads a mail: its headers, those at the top of its body, message and patch.
 * @param text one piece of `splitMailbox`
 * @throws MalformedPatch when there is no author
 */
export function readMail(text: string): PatchMail {
  const { headers, body } = headersOf(text.replace(/\r\n/g, "\n").replace(/^From [^\n]*\n/, ""));
  const content = decodedBody(headers, body);
  const lines = content.text.split(/(?<=\n)/);
  const found = new Map<string, string>();
  let at = 0;
  while (at < lines.length && lines[at]!.trim() === "") at++;
  // The top of the body may say who wrote the patch, when, and what it is called.
  for (let inBody = true; inBody && at < lines.length; ) {
    const own = /^>?(From|Subject|Date): (.*)$/i.exec(lines[at]!.trimEnd());
    if (own && !/^>From [^:]/.test(lines[at]!)) found.set(own[1]!.toLowerCase(), own[2]!);
    else inBody = false;
    if (own) at++;
  }
  if (found.size > 0) while (at < lines.length && lines[at]!.trim() === "") at++;
  let end = at;
  while (end < lines.length && !startsPatch(lines[end]!)) end++;
  const message = lines.slice(at, end).join("");
  const patch = lines.slice(end).join("");
  const header = (name: string) => found.get(name) ?? headers.get(name) ?? "";
  const own = (name: string, charset: string) =>
    found.has(name) ? toText(header(name), charset) : decodeWords(header(name));
  const { name, email } = senderOf(own("from", content.charset));
  if (email === "") throw new MalformedPatch("the mail has no author");
  return {
    name,
    email,
    date: header("date"),
    subject: cleanSubject(own("subject", content.charset)),
    body: toText(message, content.charset),
    patch,
  };
}

function startsPatch(line: string): boolean {
  return /^(?:diff -|Index: |---(?: \S|\s*$))/.test(line);
}

function headersOf(text: string): { headers: Map<string, string>; body: string } {
  const headers = new Map<string, string>();
  const end = /(?:^|\n)\n/.exec(text);
  const head = end ? text.slice(0, end.index + 1) : text;
  for (const line of head.replace(/\n[ \t]+/g, " ").split("\n")) {
    const header = /^([!-9;-~]+):[ \t]*(.*)$/.exec(line);
    if (header && !headers.has(header[1]!.toLowerCase())) headers.set(header[1]!.toLowerCase(), header[2]!.trimEnd());
  }
  return { headers, body: end ? text.slice(end.index + end[0].length) : "" };
}

interface Content {
  readonly text: string;
  readonly charset: string;
}

const MAX_PARTS = 100;

/** The body without its transfer encoding; the text parts of one in several parts, one behind the other. */
function decodedBody(headers: ReadonlyMap<string, string>, body: string, depth = 0): Content {
  const type = headers.get("content-type") ?? "text/plain";
  const parameter = (name: string) =>
    new RegExp(`${name}=(?:"([^"]*)"|([^;\\s]*))`, "i").exec(type)?.slice(1).find(Boolean);
  const boundary = /^multipart\//i.test(type) ? parameter("boundary") : undefined;
  const charset = parameter("charset") ?? "utf-8";
  if (boundary !== undefined && depth < 4) {
    const parts = body.split(`--${boundary}`).slice(1, MAX_PARTS);
    const contents = parts
      .filter((part) => !part.startsWith("--"))
      .map((part) => headersOf(part.replace(/^[^\n]*\n/, "")))
      .map((part) => decodedBody(part.headers, part.body, depth + 1));
    return { text: contents.map(({ text }) => text).join(""), charset: contents[0]?.charset ?? charset };
  }
  const encoding = (headers.get("content-transfer-encoding") ?? "").toLowerCase();
  if (encoding === "quoted-printable") return { text: fromQuotedPrintable(body), charset };
  if (encoding === "base64") return { text: Buffer.from(body, "base64").toString("latin1"), charset };
  return { text: body, charset };
}

function fromQuotedPrintable(text: string): string {
  const joined = text.replace(/=[ \t]*\n/g, "");
  return joined.replace(/=([0-9a-fA-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** RFC 2047: `=?charset?q?text?=` and `=?charset?b?text?=`; the space between two such words goes. */
function decodeWords(text: string): string {
  const word = /=\?([^?\s]+)\?([bq])\?([^?]*)\?=/gi;
  const parts: string[] = [];
  let at = 0;
  for (const match of text.matchAll(word)) {
    const between = text.slice(at, match.index);
    if (at === 0 || between.trim() !== "") parts.push(toText(between, "utf-8"));
    const [, charset = "", kind = "", data = ""] = match;
    const bytes =
      kind.toLowerCase() === "b"
        ? Buffer.from(data, "base64").toString("latin1")
        : fromQuotedPrintable(data.replaceAll("_", " "));
    parts.push(toText(bytes, charset));
    at = match.index + match[0].length;
  }
  return parts.join("") + toText(text.slice(at), "utf-8");
}

/** Latin1 bytes in a charset as text; as they are where the charset is unknown. */
function toText(bytes: string, charset: string): string {
  const data = Buffer.from(bytes, "latin1");
  if (/^(?:utf-?8|us-ascii|ascii)$/i.test(charset)) return decodeName(data);
  if (/^iso-?8859-1$/i.test(charset)) return bytes;
  try {
    return new TextDecoder(charset as Bun.Encoding, { fatal: true }).decode(data);
  } catch {
    return decodeName(data);
  }
}

function senderOf(from: string): { name: string; email: string } {
  const text = withoutQuotes(from.slice(0, MAX_SENDER));
  const at = text.indexOf("@");
  if (at < 0) {
    const bogus = /^(.*)<([^>]*)>/.exec(text);
    return bogus ? { name: saneName(bogus[1]!.trim(), bogus[2]!), email: bogus[2]! } : { name: "", email: "" };
  }
  let start = at;
  while (start > 0 && !/[\s<]/.test(text[start - 1]!)) start--;
  const end = start + (/[ \n\t\r\v\f>]|$/.exec(text.slice(start))?.index ?? 0);
  const email = text.slice(start, end);
  const before = text[start - 1] === "<" ? `${text.slice(0, start - 1)} ` : text.slice(0, start);
  let name = collapse(before + text.slice(end + 1)).trim();
  if (name.startsWith("(") && name.endsWith(")")) name = name.slice(1, -1);
  return { name: saneName(name, email), email };
}

/** A longer header is cut. */
const MAX_SENDER = 1_000;

/** Quoted strings without their quotes and backslashes (RFC 5322, "quoted-string"). */
function withoutQuotes(text: string): string {
  let result = "";
  let inQuotes = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === '"') inQuotes = !inQuotes;
    else result += inQuotes && character === "\\" ? (text[++at] ?? "") : character;
  }
  return result;
}

const MAX_NAME = 60;

function saneName(name: string, email: string): string {
  const bytes = Buffer.byteLength(name);
  return bytes === 0 || bytes > MAX_NAME || /[@<>]/.test(name) ? email : name;
}

/** A longer subject is cut: taking it apart would take quadratic time. */
const MAX_SUBJECT = 10_000;

function cleanSubject(subject: string): string {
  let rest = subject.slice(0, MAX_SUBJECT);
  for (;;) {
    const next = rest
      .replace(/^[ \t:]+/, "")
      .replace(/^re:/i, "")
      .replace(/^\[[^\]]*\]/, "");
    if (next === rest) break;
    rest = next;
  }
  return collapse(rest).trim();
}

function collapse(text: string): string {
  let result = "";
  let inSpace = false;
  for (const character of text) {
    const space = isSpace(character.charCodeAt(0));
    if (!space) result += character;
    else if (!inSpace) result += " ";
    inSpace = space;
  }
  return result;
}
