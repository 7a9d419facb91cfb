import type { Call } from "../src/http/route.ts";
import { type Paging, paging } from "../src/kernel/paging.ts";

/** Reads the query parameters of a list page. */

const MAX_WORDS = 200;

/** The requested page of the list; the page decides its size. */
export function pageOf({ query }: Pick<Call, "query">, perPage: number): Paging {
  return paging(query.get("page"), null, { standard: perPage, largest: perPage });
}

/** The search words. */
export function wordsOf({ query }: Pick<Call, "query">): string {
  return (query.get("q") ?? "").trim().slice(0, MAX_WORDS);
}
