/**
 * Other forms of what stands at a page's address, which the table of routes knows under addresses of their own: feeds
 * (`/ada/engine.rss`, or `Accept: application/rss+xml`), and what the Go tools ask (`?go-get=1`).
 */

/** Pages that are feeds, too: the page of an account and of a repository. */
const FEED_PAGES: ReadonlySet<string> = new Set(["/:owner", "/:owner/:repo"]);
const ENDING = /\.(rss|atom)$/i;
const FORMS = ["rss", "atom"] as const;

/**
 * The target (path and query) that a GET request for a target is for, when that is another.
 * @param pattern the path of the route found for it; undefined: none
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

/** Below a repository, whether there is one of that name or not, which no one is to learn from the answer. */
function isGoGet(path: string, query: string, pattern: string | undefined): boolean {
  if (!query.includes("go-get=1") || new URLSearchParams(query).get("go-get") !== "1") return false;
  if (path.startsWith("/-/") || path.split("/").length < 3) return false;
  return pattern === undefined || pattern.startsWith("/:owner");
}

/** A feed that is asked for before any page. */
function acceptedForm(accept: string | null): string | undefined {
  const first = accept?.split(",", 1)[0]?.split(";", 1)[0]?.trim();
  return FORMS.find((form) => first === `application/${form}+xml`);
}
