import { decodeName, encodeName } from "../git/objects/names.ts";
import { BadRequest } from "../kernel/errors.ts";

/**
 * The three forms of a page's name (contract repositories.md 16): its title, its address below `wiki/`, and its file in
 * the root directory of the wiki's repository. A dash in an address stands for a blank, unless the address ends with
 * `.-`.
 */

const PAGE = ".md";
/** Suffix of addresses and files whose dashes are literal. */
const AS_WRITTEN = ".-";
/** No file system allows longer names. */
const MAX_FILE_BYTES = 255;
const RESERVED = new Set(["_pages", "_new", "_edit", "raw"]);

export const HOME = "Home";
export const SIDEBAR = "_Sidebar";
export const FOOTER = "_Footer";

/** Addresses are bytes: those that are not UTF-8 are preserved, as git preserves names. */
function unescaped(text: string): string {
  if (!text.includes("%")) return text;
  const bytes: number[] = [];
  for (let at = 0; at < text.length; ) {
    const digits = text.slice(at + 1, at + 3);
    if (text[at] === "%" && /^[0-9a-f]{2}$/i.test(digits)) {
      bytes.push(Number.parseInt(digits, 16));
      at += 3;
      continue;
    }
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    bytes.push(...encodeName(character));
    at += character.length;
  }
  return decodeName(Uint8Array.from(bytes));
}

function escaped(text: string): string {
  let written = "";
  for (const byte of encodeName(text)) {
    const character = String.fromCharCode(byte);
    written += /[A-Za-z0-9._~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return written;
}

/** The title for a file name without extension, or for an address. */
function titleOfStem(stem: string): string {
  return unescaped(stem.endsWith(AS_WRITTEN) ? stem.slice(0, -AS_WRITTEN.length) : stem.replaceAll("-", " "));
}

const keepsDashes = (title: string) => title.includes("-") || title.endsWith(PAGE);

/** The address of the page with that title, escaped: a single segment. */
export function addressOf(title: string): string {
  if (keepsDashes(title)) return title.split(" ").map(escaped).join("+") + AS_WRITTEN;
  return title.split(" ").map(escaped).join("-");
}

/** The file of the page with that title. */
export function fileOf(title: string): string {
  return addressOf(title).replaceAll("+", " ") + PAGE;
}

/** The title for an address as in the request, still escaped; slashes are part of the name. */
export function titleOfAddress(address: string): string {
  return titleOfStem(address.replaceAll("/", "%2F").replaceAll("+", " "));
}

/** Returns undefined if the file is not a wiki page. */
export function titleOfFile(file: string): string | undefined {
  return file.length > PAGE.length && file.endsWith(PAGE) ? titleOfStem(file.slice(0, -PAGE.length)) : undefined;
}

/** A page's address derived from its file, if its title would resolve to another file. */
export function addressOfFile(file: string): string {
  return escaped(file);
}

/**
 * The files an address may refer to, likeliest first: the one for its title, one with that title stored without
 * escapes, and for an address ending in `.md` the file with exactly that name.
 */
export function filesOfAddress(address: string): string[] {
  const name = address.replaceAll("/", "%2F");
  const files: string[] = [];
  if (name.endsWith(PAGE)) files.push(unescaped(name), unescaped(name.replaceAll("+", " ")), name);
  else {
    const title = titleOfAddress(name);
    files.push(fileOf(title));
    if (titleOfFile(title + PAGE) === title) files.push(title + PAGE);
  }
  return [...new Set(files)].filter((file) => !file.includes("/"));
}

/** The title to store. @throws BadRequest empty, reserved, with control characters, or too long for a file */
export function checkTitle(given: string): string {
  const title = given.toWellFormed().trim();
  if (title === "") throw new BadRequest("wiki.untitled", { field: "title" });
  if (title === "." || title === "..") return "unnamed";
  if (RESERVED.has(title)) throw new BadRequest("wiki.title-reserved", { field: "title", params: { title } });
  if (/\p{Cc}/u.test(title)) throw new BadRequest("wiki.bad-title", { field: "title" });
  if (fileOf(title).length > MAX_FILE_BYTES) throw new BadRequest("wiki.title-too-long", { field: "title" });
  return title;
}
