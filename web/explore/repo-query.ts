import { readQuery, type ValuesOf } from "../../src/http/query.ts";
import type { Call } from "../../src/http/route.ts";
import { exploreParams } from "../../src/repos/search/query.ts";
import type { SearchRequest } from "../../src/repos/search/service.ts";
import { withQuery } from "../links.ts";
import { wordsOf } from "../list-query.ts";

/** Parses the URL of a repository list, and builds URLs of other queries (contract web.md 1.1). */

/** The filters of the list; undefined and empty: any. */
export type RepoFilters = ValuesOf<typeof exploreParams>;

export interface RepoQuery {
  readonly query: string;
  /** The name of the sort order. */
  readonly sort: string;
  readonly filters: RepoFilters;
}

const ORDERS: Readonly<Record<string, Pick<SearchRequest, "sort" | "order">>> = {
  newest: { sort: "created", order: "desc" },
  oldest: { sort: "created", order: "asc" },
  recentupdate: { sort: "updated", order: "desc" },
  leastupdate: { sort: "updated", order: "asc" },
  alphabetically: { sort: "alpha", order: "asc" },
  reversealphabetically: { sort: "alpha", order: "desc" },
  moststars: { sort: "stars", order: "desc" },
  feweststars: { sort: "stars", order: "asc" },
  mostforks: { sort: "forks", order: "desc" },
  fewestforks: { sort: "forks", order: "asc" },
  size: { sort: "size", order: "asc" },
  reversesize: { sort: "size", order: "desc" },
};
const USUAL_ORDER = "recentupdate";
const MAX_LANGUAGE = 50;

export function repoQueryOf(call: Call): RepoQuery {
  const asked = call.query.get("sort") ?? "";
  const filters = readQuery(exploreParams, call);
  return {
    query: wordsOf(call),
    sort: Object.hasOwn(ORDERS, asked) ? asked : USUAL_ORDER,
    filters: { ...filters, language: filters.language.slice(0, MAX_LANGUAGE) },
  };
}

/** The search request for it. */
export function searchOf({ query, sort, filters }: RepoQuery): SearchRequest {
  return {
    text: query,
    inDescription: true,
    topicOnly: filters.topic ?? false,
    isArchived: filters.archived,
    isTemplate: filters.template,
    isPrivate: filters.private,
    language: filters.language,
    mode: modeOf(filters),
    ...ORDERS[sort],
  };
}

function modeOf({ fork, mirror }: RepoFilters): string {
  if (mirror) return "mirror";
  if (fork === undefined) return "";
  return fork ? "fork" : "source";
}

/** The filters as query parameters. */
export const filterFields = (filters: RepoFilters): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : [[name, `${value}`]],
    ),
  );

/** Whether anything besides the sort order is set. */
export const isNarrowed = ({ query, filters }: RepoQuery): boolean =>
  query !== "" || Object.keys(filterFields(filters)).length > 0;

/** The URL of a page with such a list for this query. */
export const repoListHref = (page: string, { query, sort, filters }: RepoQuery): string =>
  withQuery(page, { q: query, sort: sort === USUAL_ORDER ? undefined : sort, ...filterFields(filters) });
