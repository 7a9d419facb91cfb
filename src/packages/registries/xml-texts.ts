import { type JsonObject, objectOf, textOf } from "../../kernel/json.ts";

/** XML as the documents of packages have it: elements are members, attributes have an `@` before their name. */

/** In the encoding that the document names. @throws Error it is no text */
export function textOfXml(bytes: Uint8Array): string {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 200));
  const [, encoding = "utf-8"] = /<\?xml[^>]*encoding=["']([\w.-]+)["']/.exec(head) ?? [];
  return new TextDecoder(encoding as "utf-8", { fatal: true }).decode(bytes);
}

/** @throws Error it is none, or declares entities, of which few make many */
export function parseXml(text: string): unknown {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new Error("a document that declares its own type is not read");
  return Bun.XML.parse(text);
}

/** Elements of that name; one is no list. */
export function rowsOf(parent: unknown, name: string): JsonObject[] {
  const rows = objectOf(parent)[name];
  if (rows === undefined) return [];
  return (Array.isArray(rows) ? rows : [rows]).map(objectOf);
}

/** What stands in an element, with attributes or without. */
export const innerText = (value: unknown): string => (textOf(value) || textOf(objectOf(value)["#text"])).trim();

/** Text as XML has it, without characters that it has none for. */
export const xmlText = (text: string): string =>
  Bun.escapeHTML(text.toWellFormed().replace(/[^\t\n\r\x20-\u{10ffff}]|[\ufffe\uffff]/gu, ""));
