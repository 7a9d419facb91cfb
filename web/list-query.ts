import type { Call } from "../src/http/route.ts";
import { type Paging, paging } from "../src/kernel/paging.ts";

/** What the address of a page with a list asks for. */

const MAX_WORDS = 200;

/** Which page of the list; its size is the page's own. */
export function pageOf({ query }: Pick<Call, "query">, perPage: number): Paging {
  return paging(query.get("page"), null, { standard: perPage, largest: perPage });
}

/** The words to look for. */
export function wordsOf({ query }: Pick<Call, "query">): string {
  return (query.get("q") ?? "").trim().slice(0, MAX_WORDS);
}
