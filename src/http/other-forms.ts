/**
 * Alternative representations of a page's address that have routes of their own:
 * feeds (`/ada/engine.rss`, or `Accept: application/rss+xml`) and the Go tools' requests (`?go-get=1`).
 */

/** Pages that are also available as feeds: those of an account and of a repository. */
const FEED_PAGES: ReadonlySet<string> = new Set(["/:owner", "/:owner/:repo"]);
const ENDING = /\.(rss|atom)$/i;
const FORMS = ["rss", "atom"] as const;

/**
 * The target (path and query) that should answer a GET request instead, if it is a different one.
 * @param pattern the path of the route found for it; undefined if there is none
 */
export function otherForm(target: string, pattern: string | undefined, headers: Headers): string | undefined {
  const mark = target.indexOf("?");
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? "" : target.slice(mark);
  if (isGoGet(path, query, pattern)) return `/-/go-get${path}`;
  if (pattern === undefined || !FEED_PAGES.has(pattern)) return undefined;
  const ending = ENDING.exec(path)?.[1]?.toLowerCase();
  if (ending) return `${path.slice(0, -ending.length - 1)}/-/feed/${ending}${query}`;
  const asked = acceptedForm(headers.get("accept"));
  return asked && `${path}/-/feed/${asked}${query}`;
}

/** Applies below any repository path, whether or not the repository exists, which the answer must not reveal. */
function isGoGet(path: string, query: string, pattern: string | undefined): boolean {
  if (!query.includes("go-get=1") || new URLSearchParams(query).get("go-get") !== "1") return false;
  if (path.startsWith("/-/") || path.split("/").length < 3) return false;
  return pattern === undefined || pattern.startsWith("/:owner");
}

/** The feed format that is preferred to a page. */
function acceptedForm(accept: string | null): string | undefined {
  const first = accept?.split(",", 1)[0]?.split(";", 1)[0]?.trim();
  return FORMS.find((form) => first === `application/${form}+xml`);
}
