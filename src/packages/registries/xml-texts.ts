import { type JsonObject, objectOf, textOf } from "../../kernel/json.ts";

/** XML as package documents use it: elements become members, attributes have an `@` before their name. */

/** Decodes the text in the encoding that the document declares. @throws Error if it cannot be decoded */
export function textOfXml(bytes: Uint8Array): string {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 200));
  const [, encoding = "utf-8"] = /<\?xml[^>]*encoding=["']([\w.-]+)["']/.exec(head) ?? [];
  return new TextDecoder(encoding as "utf-8", { fatal: true }).decode(bytes);
}

/** @throws Error if it is invalid or declares entities, which could expand exponentially */
export function parseXml(text: string): unknown {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new Error("a document that declares its own type is not read");
  return Bun.XML.parse(text);
}

/** The elements with that name; the parser returns a single one without a list. */
export function rowsOf(parent: unknown, name: string): JsonObject[] {
  const rows = objectOf(parent)[name];
  if (rows === undefined) return [];
  return (Array.isArray(rows) ? rows : [rows]).map(objectOf);
}

/** The text of an element, with or without attributes. */
export const innerText = (value: unknown): string => (textOf(value) || textOf(objectOf(value)["#text"])).trim();

/** Escapes text for XML, removing characters that XML does not allow. */
export const xmlText = (text: string): string =>
  Bun.escapeHTML(text.toWellFormed().replace(/[^\t\n\r\x20-\u{10ffff}]|[\ufffe\uffff]/gu, ""));
