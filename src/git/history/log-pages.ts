import type { Commits } from "../graph/commits.ts";
import type { Oid } from "../objects/types.ts";
import { readCursor, type Standing, writeCursor } from "./cursor.ts";
import { Follower } from "./follow.ts";
import { type LogOptions, log, type Page, walkOptions } from "./log.ts";
import { RevisionWalk } from "./walk/walk.ts";

export interface CursorPage extends Page {
  /** For the next page; undefined on the last one, and when the walk began at too many commits for a cursor. */
  readonly cursor?: string;
}

/**
 * A page of history that goes on where another one ended, at the same cost whatever the page: the cursor says which
 * commits the walk has before it. It holds for the commits the first page was asked of, wherever their branches are now.
 * Other orders than by date, and ranges that leave something out, are walked from the start: their first page costs
 * the whole range as well.
 * @param cursor from the page before, with the same options but `tips` and `not`, which it brings along
 * @throws BadCursor; CorruptObject when a commit or tree on the way is missing
 */
export function logPage(commits: Commits, options: LogOptions, limit: number, cursor?: string): CursorPage {
  const { tips, not, ...wishes } = options;
  const question = JSON.stringify(Object.entries(wishes).sort(([a], [b]) => (a < b ? -1 : 1)));
  const from: Standing =
    cursor === undefined ? { tips, not: not ?? [], shown: 0 } : readCursor(commits, cursor, question);
  const asked = { ...wishes, tips: from.tips, not: from.not };
  const { oids, more, standing } =
    (options.order ?? "date") === "date" && from.not.length === 0
      ? (datePage(commits, asked, from, limit) ?? datePage(commits, asked, startAgain(from), limit)!)
      : plainPage(commits, asked, from, limit);
  const next = more ? writeCursor(standing, question) : undefined;
  return { oids, more, ...(next === undefined ? {} : { cursor: next }) };
}

interface PageOf extends Page {
  /** Where the next page begins. */
  readonly standing: Standing;
}

function plainPage(commits: Commits, asked: LogOptions, from: Standing, limit: number): PageOf {
  const page = log(commits, asked, from.shown, limit);
  return { ...page, standing: { ...from, shown: from.shown + page.oids.length } };
}

function startAgain({ tips, not, shown }: Standing): Standing {
  return { tips, not, shown };
}

/** Undefined when wrong clocks make the frontier ambiguous. */
function datePage(commits: Commits, asked: LogOptions, from: Standing, limit: number): PageOf | undefined {
  const { frontier } = from;
  const [path] = asked.follow ? (asked.paths ?? []) : [];
  const follower =
    path === undefined ? undefined : new Follower(commits, from.path ?? path, asked.firstParent ?? false);
  const options = walkOptions({
    ...asked,
    tips: frontier?.commits ?? from.tips,
    ...(follower ? { paths: [] } : {}),
  });
  const walk = new RevisionWalk(commits, { ...options, resumable: true, taken: frontier?.taken });
  let toSkip = frontier ? 0 : from.shown;
  const oids: Oid[] = [];
  const where = () => {
    const at = walk.standing();
    const known = at && { commits: at.frontier.map((number) => commits.oidOf(number)), taken: at.taken };
    return { ...from, shown: from.shown + oids.length, frontier: known, path: follower?.path };
  };
  // The walk is looked at before it goes on to the commit that shows that there is more.
  let standing = where();
  for (const number of walk) {
    if (walk.isUncertain) return undefined;
    if (oids.length === limit) {
      if (!follower || follower.changes(number)) return { oids, more: true, standing };
      standing = where();
      continue;
    }
    if (follower && !follower.changes(number)) continue;
    if (toSkip > 0) {
      toSkip--;
      continue;
    }
    oids.push(commits.oidOf(number));
    if (oids.length === limit) standing = where();
  }
  if (walk.isUncertain) return undefined;
  return { oids, more: false, standing };
}
