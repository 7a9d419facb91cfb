import type { FileDiffRequest } from "../../src/content/history/file-diffs.ts";
import type { PlacedFileDiffs } from "../../src/content/history/service.ts";
import type { DiffOptions } from "../../src/git/diff/file-diff.ts";
import { cookieOf, setCookie } from "../../src/http/cookies.ts";
import { isPartial } from "../../src/http/respond.ts";
import type { Call } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import { DiffFileBody } from "../components/diff-file.tsx";
import type { DiffSource, DiffStyle, SlotsOf } from "../components/diff-types.ts";
import { DIFF_TREE_COOKIE, type DiffViewProps } from "../components/diff-view.tsx";
import { withQuery } from "../links.ts";
import { isSecure, showPart } from "../visit.ts";
import { shownDiff } from "./shown-diff.ts";

/** How many files are listed, and how many of those have their boxes in the page. */
const FILES_LISTED = 100;
const FILES_SHOWN = 12;
const LINES_FOLDED = 1000;
const LINES_LOADED = 20_000;
/** Lines a page shows initially; files beyond them are loaded when they are scrolled to. */
const LINES_SHOWN = 150;
const STYLE_COOKIE = "hearth_diff";
/** More lines than any file has. */
const ALL_LINES = 1_000_000;

/** Whitespace to ignore, by the values of the query parameter (contract web.md 3.8); other values mean none. */
const WHITESPACE: Readonly<Record<string, DiffOptions>> = {
  "ignore-all": { ignoreAllSpace: true },
  "ignore-change": { ignoreSpaceChange: true },
  "ignore-eol": { ignoreSpaceAtEol: true },
};

/** A diff as its page shows it, without the repository and commits. */
export type AskedDiff = Omit<DiffViewProps, "repo" | "newCommit" | "oldCommit">;

/**
 * The changed files as requested by the page's query (contract web.md 3.8), or a response when only the lines of one
 * file are requested.
 * @param address of the page
 * @param slots what the page adds to the files' boxes
 */
export async function askedDiff(
  services: WebServices,
  call: Call,
  address: string,
  find: (request: Omit<FileDiffRequest, "to" | "from">) => Promise<PlacedFileDiffs>,
  slots?: SlotsOf,
): Promise<AskedDiff | Response> {
  const style = styleOf(services, call);
  const whitespace = call.query.get("whitespace") ?? "";
  const spaces = Object.hasOwn(WHITESPACE, whitespace) ? WHITESPACE[whitespace] : undefined;
  const only = call.query.get("file-only") === "true" ? call.query.getAll("files").slice(0, 10) : undefined;
  const href = withQuery(address, { whitespace: spaces ? whitespace : undefined });
  const found = await find({
    options: {
      ...spaces,
      ...(only ? { maxFileLines: LINES_LOADED } : { maxFileLines: LINES_FOLDED, maxLines: LINES_SHOWN }),
      ...(only && call.query.get("context") === "all" ? { context: ALL_LINES } : {}),
    },
    skipTo: call.query.get("skip-to")?.slice(0, 4096) ?? undefined,
    only,
    // The rest of a page that is already open needs no list.
    limit: only || !isPartial(call.request) ? FILES_LISTED : FILES_SHOWN,
    colours: true,
  });
  const listed = found.files.map(shownDiff);
  const [files, unloaded] = only ? [listed, []] : [listed.slice(0, FILES_SHOWN), listed.slice(FILES_SHOWN)];
  const source = sourceOf(found);
  const [file] = files;
  if (only && isPartial(call.request)) {
    if (!file) throw new NotFound();
    return showPart(call, <DiffFileBody file={file} of={{ style, href, source, whole: true }} slots={slots?.(file)} />);
  }
  const next = unloaded[0]?.newPath ?? found.next;
  const more =
    next === undefined
      ? {}
      : { more: { count: found.total - files.length, href: withQuery(href, { style, "skip-to": next }) } };
  return {
    files,
    unloaded,
    style,
    href,
    source,
    slots,
    ignoresSpace: spaces !== undefined,
    whole: only !== undefined,
    isTreeHidden: cookieOf(call.request, DIFF_TREE_COOKIE) === "hidden",
    ...more,
  };
}

function sourceOf({ below, from, to, newSide, oldSide }: PlacedFileDiffs): DiffSource {
  const nameOf = ({ owner, repo }: SeenRepo) => ({ owner: owner.login, name: repo.name });
  return { repo: nameOf(newSide), commit: to, oldRepo: nameOf(oldSide), oldCommit: from, below };
}

/**
 * The diff style: the requested one, the last one chosen, or the account's setting. A choice is saved for signed-in
 * users.
 */
function styleOf(services: WebServices, call: Call): DiffStyle {
  const asked = call.query.get("style");
  const known = (style: string | null | undefined) => (style === "split" || style === "unified" ? style : undefined);
  const chosen = known(asked);
  if (chosen && call.principal.user && chosen !== cookieOf(call.request, STYLE_COOKIE))
    call.header(
      "set-cookie",
      setCookie(STYLE_COOKIE, chosen, { secure: isSecure(services), maxAgeSeconds: 31_536_000 }),
    );
  return (
    chosen ?? known(cookieOf(call.request, STYLE_COOKIE)) ?? known(call.principal.user?.diffViewStyle) ?? "unified"
  );
}
