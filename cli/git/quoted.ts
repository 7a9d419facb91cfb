import { unquotePath } from "../../src/git/diff/quote.ts";
import { decodeName, encodeName } from "../../src/git/objects/names.ts";

/**
 * The text in double quotes with C escapes that something begins with, as git prints unusual names, and what follows
 * it; undefined when the quotes are malformed.
 */
export function unquoteStart(text: string): { readonly text: string; readonly rest: string } | undefined {
  const bytes = Buffer.from(encodeName(text));
  const found = unquotePath(bytes.toString("latin1"));
  return found && { text: decodeName(Buffer.from(found.text, "latin1")), rest: decodeName(bytes, found.length) };
}
