import { nextTurn } from "../kernel/next-turn.ts";
import type { Paging } from "../kernel/paging.ts";

/** Builders of API responses, so that handlers state what they mean. */

export const JSON_TYPE = "application/json;charset=utf-8";

export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(value), { status, headers: { "content-type": JSON_TYPE, ...headers } });
}

/** List entries rendered before other work gets a turn. */
const SLICE = 250;

/**
 * A JSON response with lists of any length, `{"name":[…],…}` or a single list, rendered in slices so that nobody waits
 * for all of it. Everything `show` needs must have been read: it must not fail any more.
 */
export function jsonSlices(pieces: Iterable<string>, headers: Record<string, string> = {}): Response {
  const encoder = new TextEncoder();
  const iterator = pieces[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
      await nextTurn();
    },
  });
  return new Response(body, { headers: { "content-type": JSON_TYPE, ...headers } });
}

/** The text of a JSON array in pieces, for `jsonSlices`. */
export function* listSlices<T>(items: readonly T[], show: (item: T) => unknown): Generator<string> {
  yield "[";
  for (let at = 0; at < items.length; at += SLICE) {
    const shown = items.slice(at, at + SLICE).map((item) => JSON.stringify(show(item)));
    yield (at === 0 ? "" : ",") + shown.join(",");
  }
  yield "]";
}

/** A list as JSON; a short one is rendered at once. */
export function jsonList<T>(
  items: readonly T[],
  show: (item: T) => unknown,
  headers: Record<string, string> = {},
): Response {
  return items.length <= SLICE ? json(items.map(show), 200, headers) : jsonSlices(listSlices(items, show), headers);
}

export function created(value: unknown): Response {
  return json(value, 201);
}

export function noContent(): Response {
  return new Response(null, { status: 204 });
}

export function plain(text: string, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(text, { status, headers: { "content-type": "text/plain; charset=utf-8", ...headers } });
}

/** `redirect("/x")` after a form; 303 turns the method into GET. */
export function redirect(location: string, status: 301 | 303 | 307 = 303): Response {
  return new Response(null, { status, headers: { location: headerAddress(location) } });
}

/**
 * Whether htmx asks for part of a page. Version 4 has a header for that, since it also asks for whole pages (a history
 * request); a client that sends only `HX-Request` swaps the response into a target (contract web.md 0.1).
 */
export function isPartial({ headers }: Request): boolean {
  return (headers.get("hx-request-type") ?? (headers.get("hx-request") === "true" ? "partial" : "full")) === "partial";
}

/** A redirect for htmx, which would follow a normal one within its request and put a whole page into a small target. */
export function redirectOfHtmx(location: string): Response {
  return new Response(null, { status: 204, headers: { "hx-redirect": headerAddress(location) } });
}

/** An address valid in a header: anything but printable ASCII is percent-encoded, existing escapes stay. */
export function headerAddress(location: string): string {
  return location.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}

/** The input of the paging headers. */
export interface ListOf {
  readonly rootUrl: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly paging: Paging;
}

/** One page of a list with `X-Total-Count` and `Link` (contract identity.md 1.5). */
export function page(items: unknown[], total: number, list: ListOf): Response {
  return json(items, 200, pageHeaders(total, list));
}

/** Like `page`, for a list that is already JSON. */
export function writtenPage(body: string, total: number, list: ListOf): Response {
  return new Response(body, { headers: { "content-type": JSON_TYPE, ...pageHeaders(total, list) } });
}

/** A list with a total but no links, as the contract has it for tokens and a few others. */
export function counted(items: unknown[], total: number): Response {
  return json(items, 200, countHeaders(total));
}

/** The total, without links to other pages. */
export function countHeaders(total: number): Record<string, string> {
  return { "x-total-count": String(total), "access-control-expose-headers": "X-Total-Count" };
}

export function pageHeaders(total: number, list: ListOf): Record<string, string> {
  const link = linkHeader(total, list);
  return {
    "x-total-count": String(total),
    ...(link
      ? { link, "access-control-expose-headers": "Link, X-Total-Count" }
      : { "access-control-expose-headers": "X-Total-Count" }),
  };
}

/** next, last, first, prev; absolute from ROOT_URL, keys sorted, effective page size; undefined for a single page. */
export function linkHeader(total: number, { rootUrl, path, query, paging }: ListOf): string | undefined {
  const last = Math.ceil(total / paging.limit);
  if (last <= 1) return undefined;
  const to = (number: number, rel: string) => {
    const params = new URLSearchParams(query);
    for (const secret of ["token", "access_token"]) params.delete(secret);
    params.set("page", String(number));
    if (params.has("limit")) params.set("limit", String(paging.limit));
    params.sort();
    return `<${rootUrl.replace(/\/$/, "")}${path}?${params}>; rel="${rel}"`;
  };
  const links: string[] = [];
  if (paging.page < last) links.push(to(paging.page + 1, "next"), to(last, "last"));
  if (paging.page > 1) links.push(to(1, "first"), to(Math.min(paging.page - 1, last), "prev"));
  return links.join(",");
}
