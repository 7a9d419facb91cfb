import { json, redirect } from "../../src/http/respond.ts";
import { type Call, param, type Route } from "../../src/http/route.ts";
import { rfc3339In } from "../../src/kernel/clock.ts";
import { NotFound, Redirected } from "../../src/kernel/errors.ts";
import { readsPulls } from "../../src/pulls/access.ts";
import { seenPull } from "../../src/pulls/call.ts";
import type { SeenPull } from "../../src/pulls/types.ts";
import type { WebServices } from "../area.ts";
import type { FileDiff, FileSlots } from "../components/diff-types.ts";
import { askedDiff } from "../content/asked-diff.tsx";
import { boxActions } from "../conversation/item-data.ts";
import type { ConversationTexts } from "../conversation/texts.ts";
import { wordsFor } from "../language.ts";
import { withQuery } from "../links.ts";
import { show, showPart } from "../visit.ts";
import { FilesPage } from "./files.tsx";
import type { FilesBarProps, ReviewBarProps, ShownRange } from "./files-bar.tsx";
import { editableHead, fileSlots, lineForm, placeName } from "./files-data.tsx";
import { type NotedPlace, Notes } from "./line-form.tsx";
import { frameOf, pullHref } from "./shown.ts";
import { threadsOf } from "./thread-data.ts";
import { pullWords } from "./words/index.ts";

/** The changed files of a pull request, as a whole and in parts (contract pulls.md 22.2). */
export function filesPages(services: WebServices, texts: ConversationTexts): Route[] {
  const page = { method: "GET", surface: "page", access: readsPulls } as const;
  const path = "/:owner/:repo/pulls/:index";
  const seen = (call: Call) => seenPull(call, services.pulls);
  return [
    { ...page, path: `${path}/files`, handle: (call) => files(services, texts, call, seen(call)) },
    { ...page, path: `${path}/files/range`, handle: (call) => toRange(seen(call), call) },
    {
      ...page,
      path: `${path}/files/reviews/new_comment`,
      handle: async (call) => {
        const item = seen(call);
        const place = placeIn((name) => call.query.get(name) ?? "");
        return showPart(call, await notes(services, texts, item, place, mayReview(item) ? {} : undefined));
      },
    },
    {
      ...page,
      path: `${path}/files/:range`,
      handle: async (call) => {
        const item = seen(call);
        const [, from, to] = /^([0-9a-f]{40,64})\.\.([0-9a-f]{40,64})$/.exec(param(call, "range")) ?? [];
        if (!from || !to) throw new NotFound();
        return files(services, texts, call, item, await services.pullVersions.range(item, from, to));
      },
    },
    { ...page, path: `${path}/commits/list`, handle: (call) => listedCommits(services, call, seen(call)) },
    {
      ...page,
      path: `${path}/commits/:sha`,
      handle: async (call) => {
        const item = seen(call);
        const { from, to } = await services.pullVersions.single(item, param(call, "sha"));
        return files(services, texts, call, item, { from: from ?? "", to });
      },
    },
  ];
}

export const mayReview = ({ seen }: SeenPull): boolean => seen.principal.user !== undefined && !seen.repo.isArchived;

/** The place named in a form or URL (contract pulls.md 22.4). @throws NotFound when it names none */
export function placeIn(field: (name: string) => string): NotedPlace {
  const [path, line] = [field("path").slice(0, 4096), field("line") || "0"];
  if (path === "" || !/^\d{1,9}$/.test(line)) throw new NotFound();
  const side = field("side") === "previous" ? "L" : "R";
  return { path, name: Number(line) === 0 ? "F" : `${side}${Number(line)}` };
}

/** The comments on one place, with the form for another one if requested. */
export async function notes(
  services: WebServices,
  texts: ConversationTexts,
  item: SeenPull,
  place: NotedPlace,
  form?: { readonly value?: string; readonly startLine?: string; readonly error?: string },
) {
  const comments = services.codeComments
    .ofPull(item)
    .filter((comment) => comment.path === place.path && placeName(comment) === place.name && !comment.isOutdated);
  const threads = await threadsOf(services, texts, item, comments);
  return (
    <Notes place={place} threads={threads} form={form ? { ...lineForm(services, item, place), ...form } : undefined} />
  );
}

/** The commits, for scripts that offer ranges of them (contract pulls.md 22.2). */
async function listedCommits({ pullVersions }: WebServices, call: Call, item: SeenPull): Promise<Response> {
  const t = wordsFor(call, pullWords);
  const commits = await pullVersions.commits(item);
  return json({
    commits: commits.map(({ committer, oid, subject }) => ({
      id: oid,
      short_sha: oid.slice(0, 10),
      summary: subject,
      committer_or_author_name: committer.name,
      time: rfc3339In(committer.timestamp, committer.offsetMinutes),
    })),
    last_review_commit_sha: pullVersions.lastReviewed(item) ?? "",
    locale: { show_all_commits: t("allChanges"), show_changes_since_your_last_review: t("sinceReview") },
  });
}

/** Redirects the range form to the URL of the range. */
function toRange(item: SeenPull, call: Call): Response {
  const [from, to] = [call.query.get("from") ?? "", call.query.get("to") ?? ""];
  if (![from, to].every((oid) => /^[0-9a-f]{40,64}$/.test(oid))) throw new Redirected(303, `${pullHref(item)}/files`);
  return redirect(`${pullHref(item)}/files/${from}..${to}`);
}

/** The place requested by a button without JavaScript: `?path=a.txt&comment=R12`. */
function opened(call: Call): NotedPlace | undefined {
  const [path, name] = [call.query.get("path") ?? "", call.query.get("comment") ?? ""];
  return path !== "" && path.length <= 4096 && /^(F|[LR]\d{1,9})$/.test(name) ? { path, name } : undefined;
}

async function files(
  services: WebServices,
  texts: ConversationTexts,
  call: Call,
  item: SeenPull,
  range?: ShownRange,
): Promise<Response> {
  const { history, pullChanges, viewedFiles } = services;
  const whole = pullChanges.range(item);
  // A range that covers everything is treated as no range.
  const part = range && (range.from !== whole.from || range.to !== whole.to) ? range : undefined;
  const { from, to } = part ?? whole;
  const open = opened(call);
  const marks = part ? new Map<string, string>() : viewedFiles.marksOf(item);
  const showsOutdated = call.query.get("show-outdated") === "true";
  const editable = editableHead(services, item);
  const view = { mayReview: mayReview(item) && !part, marks, showsOutdated, open, editable };
  let slots: ((file: FileDiff) => FileSlots) | undefined;
  let total = 0;
  const here = withQuery(rangeHref(item, part), { "show-outdated": showsOutdated ? "true" : undefined });
  const diff = await askedDiff(
    services,
    call,
    here,
    async (request) => {
      const found = await history.fileDiffs(item.seen, {
        ...(from === "" ? {} : { from }),
        to,
        ...request,
        skipTo: request.skipTo ?? open?.path,
      });
      total = found.total;
      if (!part) slots = await fileSlots(services, texts, item, found.files, view);
      return found;
    },
    (file) => slots?.(file) ?? {},
  );
  if (diff instanceof Response) return diff;
  const [frame, bar] = await Promise.all([
    frameOf(services, call, item),
    barOf(services, item, part, { total, marks, showsOutdated }),
  ]);
  const mayApply = !part && services.suggestions.mayApply(item);
  return show(call, <FilesPage {...frame} diff={diff} from={from} to={to} bar={bar} mayApply={mayApply} />);
}

function rangeHref(item: SeenPull, part: ShownRange | undefined): string {
  return `${pullHref(item)}/files${part ? `/${part.from}..${part.to}` : ""}`;
}

async function barOf(
  services: WebServices,
  item: SeenPull,
  range: ShownRange | undefined,
  shown: { readonly total: number; readonly marks: ReadonlyMap<string, string>; readonly showsOutdated: boolean },
): Promise<FilesBarProps> {
  const { codeComments, pullChanges, pullVersions, viewedFiles } = services;
  const isReviewing = mayReview(item) && !range;
  const [commits, viewed] = await Promise.all([
    pullVersions.commits(item),
    isReviewing ? viewedFiles.countViewed(item, shown.marks) : 0,
  ]);
  return {
    href: pullHref(item),
    viewed: isReviewing ? { count: viewed, all: shown.total } : undefined,
    commits,
    base: pullChanges.range(item).from,
    range,
    lastReviewed: pullVersions.lastReviewed(item),
    headOid: item.pull.headOid,
    outdated: { isShown: shown.showsOutdated, count: range ? 0 : codeComments.countOutdated(item) },
    review: isReviewing ? reviewBar(services, item) : undefined,
  };
}

export function reviewBar(services: WebServices, item: SeenPull): ReviewBarProps {
  const { issue, pull, seen } = item;
  return {
    href: pullHref(item),
    headOid: pull.headOid,
    pending: services.reviews.pendingOf(item)?.comments,
    mayDecide: seen.principal.user?.id !== issue.posterId && pull.isOpen,
    box: boxActions(services, item),
  };
}
