import { ghost } from "../../src/identity/system-users.ts";
import { mayEdit } from "../../src/issues/rights.ts";
import type { TimelineEntry } from "../../src/issues/timeline/types.ts";
import type { CodeComment, Review } from "../../src/pulls/review/types.ts";
import { isMerged, type SeenPull } from "../../src/pulls/types.ts";
import { isDraft } from "../../src/pulls/values.ts";
import type { WebServices } from "../area.ts";
import type { Person } from "../components/avatar.tsx";
import type { SafeHtml } from "../jsx/raw.ts";
import { refHref } from "../links.ts";
import { mergeBox } from "../merging/merge-box-data.ts";
import { personOf } from "../people.ts";
import { homeOf } from "../repos/frame.ts";
import type { ConversationProps, ShownEntry, ShownEvent, ShownTalk } from "./conversation.tsx";
import type { PullHead } from "./head.tsx";

/** Entries of the timeline on one page. */
const MAX_ENTRIES = 1_000;

export const pullHref = ({ issue, seen }: SeenPull): string => homeOf(seen, `pulls/${issue.number}`);

/** What stands above every page of a pull request. */
export function pullHead(services: WebServices, item: SeenPull): PullHead {
  const { identity, repos } = services;
  const { issue, pull, seen } = item;
  const merged = isMerged(pull);
  const personId = merged ? pull.mergedById : issue.posterId;
  const head = pull.headRepoId === undefined ? undefined : repos.seeById(seen.principal, pull.headRepoId);
  const place = head && head.repo.id !== seen.repo.id ? `${head.owner.login}:` : "";
  const isThere = head !== undefined && services.pulls.headTip(pull) !== undefined;
  const href = (of: typeof seen, name: string) =>
    refHref({ owner: of.owner.login, name: of.repo.name }, "src", { kind: "branch", name });
  return {
    number: issue.number,
    title: issue.title,
    mark: merged ? "merged" : issue.isClosed ? "closed" : isDraft(issue.title) ? "draft" : "open",
    person: personOf((personId === undefined ? undefined : identity.byId(personId)) ?? ghost),
    base: { name: pull.baseBranch, href: href(seen, pull.baseBranch) },
    head: { name: `${place}${pull.headBranch}`, href: isThere && head ? href(head, pull.headBranch) : undefined },
    counts: { comments: issue.comments, commits: pull.ahead, files: pull.changedFiles },
    href: pullHref(item),
  };
}

/** All of the conversation, as whoever looks may read it. */
export async function conversation(
  services: WebServices,
  item: SeenPull,
): Promise<Omit<ConversationProps, "shell" | "repo" | "pull">> {
  const { codeComments, identity, reviewRequests, reviews, timeline } = services;
  const { issue, pull, seen } = item;
  const { items: entries } = timeline.list(item, {}, { limit: MAX_ENTRIES, offset: 0 });
  const said = reviews.all(item);
  const comments = codeComments.ofPull(item);
  const texts = await rendered(services, item, [
    ["", issue.body],
    ...entries
      .filter(({ kind }) => kind === "comment" || kind === "review")
      .map(({ body, id }) => [`${id}`, body] as const),
    ...comments.map(({ body, id }) => [`${id}`, body] as const),
  ]);
  const ids = [
    issue.posterId,
    ...[...entries, ...comments].map(({ userId }) => userId),
    ...said.map((r) => r.reviewerId),
  ];
  const more = entries.map(({ assigneeId }) => assigneeId);
  const people = identity.byIds([...new Set([...ids, ...more].flatMap((id) => id ?? []))]);
  const person = (id: number | undefined) => personOf((id === undefined ? undefined : people.get(id)) ?? ghost);
  const mayResolve = !seen.repo.isArchived && codeComments.mayResolve(item);
  const talksOf = (reviewId: number | undefined) =>
    talks(
      comments.filter((comment) => comment.reviewId === reviewId),
      texts,
      person,
      mayResolve,
    );
  const isOver = !pull.isOpen;
  const isReader = seen.principal.user !== undefined && !seen.repo.isArchived;
  return {
    description: { person: person(issue.posterId), at: issue.createdAt, html: texts.get("") },
    entries: entries.flatMap((entry) => shownEntry(entry, { person, said, talksOf, texts })),
    reviewers: reviewersOf(said, person),
    ...(isOver ? {} : { box: await mergeBox(services, item) }),
    may: {
      comment: isReader,
      edit: isReader && mayEdit(item),
      reopen: isReader && isOver && !isMerged(pull) && mayEdit(item),
      choose: reviewRequests.mayChoose(seen),
      removeBranch: isReader && isOver && services.branchRemoval.removableFrom(item) !== undefined,
    },
  };
}

async function rendered(
  { markup, references }: WebServices,
  { seen }: SeenPull,
  texts: readonly (readonly [key: string, text: string])[],
): Promise<Map<string, SafeHtml>> {
  const links = { kind: "repo", repo: { owner: seen.owner.login, name: seen.repo.name } } as const;
  const written = texts.filter(([, text]) => text.trim() !== "");
  const marked = await Promise.all(written.map(([, text]) => markup.markdown(text, { links })));
  const safe = references.resolve({ principal: seen.principal, repo: seen }, ...marked);
  return new Map(written.flatMap(([key], at) => (safe[at] ? [[key, safe[at]] as const] : [])));
}

interface Sources {
  readonly person: (id: number | undefined) => Person;
  readonly said: readonly Review[];
  readonly talksOf: (reviewId: number | undefined) => ShownTalk[];
  readonly texts: ReadonlyMap<string, SafeHtml>;
}

function shownEntry(entry: TimelineEntry, { person, said, talksOf, texts }: Sources): ShownEntry[] {
  const head = { id: entry.id, person: person(entry.userId), at: entry.createdAt };
  const html = texts.get(`${entry.id}`);
  if (entry.kind === "comment") return html ? [{ ...head, what: "comment", html }] : [];
  if (entry.kind === "review") {
    const kind = said.find(({ id }) => id === entry.reviewId)?.kind ?? "comment";
    return [{ ...head, what: "review", kind, html, talks: talksOf(entry.reviewId) }];
  }
  const event = eventOf(entry, person);
  return event ? [{ ...head, what: "event", event }] : [];
}

function eventOf(entry: TimelineEntry, person: (id: number | undefined) => Person): ShownEvent | undefined {
  switch (entry.kind) {
    case "close":
    case "reopen":
      return { kind: entry.kind };
    case "merge_pull":
      return { kind: "merge" };
    case "dismiss_review":
      return { kind: "dismiss" };
    case "pull_scheduled_merge":
      return { kind: "schedule" };
    case "pull_cancel_scheduled_merge":
      return { kind: "unschedule" };
    case "delete_branch":
      return { kind: "delete-branch", name: entry.oldText };
    case "change_title":
      return { kind: "rename", from: entry.oldText, to: entry.newText };
    case "change_target_branch":
      return { kind: "retarget", from: entry.oldText, to: entry.newText };
    case "review_request":
      if (entry.assigneeId === undefined) return undefined;
      return { kind: entry.isRemoval ? "unask" : "ask", name: person(entry.assigneeId).name };
    case "pull_push":
      return pushEvent(entry.body);
    default:
      return undefined;
  }
}

function pushEvent(body: string): ShownEvent | undefined {
  try {
    const { commit_ids, is_force_push } = JSON.parse(body) as { commit_ids: string[]; is_force_push: boolean };
    const short = (at: number) => (commit_ids[at] ?? "").slice(0, 10);
    return is_force_push ? { kind: "force", from: short(0), to: short(1) } : { kind: "push", count: commit_ids.length };
  } catch {
    return undefined;
  }
}

function talks(
  comments: readonly CodeComment[],
  texts: ReadonlyMap<string, SafeHtml>,
  person: (id: number | undefined) => Person,
  mayResolve: boolean,
): ShownTalk[] {
  const found = new Map<string, CodeComment[]>();
  for (const comment of comments) {
    const key = `${comment.path}\0${comment.line}`;
    found.set(key, [...(found.get(key) ?? []), comment]);
  }
  return [...found.values()].flatMap((all): ShownTalk[] => {
    const [first] = all;
    if (!first) return [];
    const { hunk, isOutdated, isResolved, line, path } = first;
    const shown = all.flatMap(({ createdAt, id, userId }) => {
      const html = texts.get(`${id}`);
      return html ? [{ id, person: person(userId), at: createdAt, html }] : [];
    });
    return [{ path, line, hunk, isOutdated, isResolved, mayResolve, comments: shown }];
  });
}

/** The last word of each reviewer. */
function reviewersOf(said: readonly Review[], person: (id: number | undefined) => Person) {
  const last = new Map<number, Review>();
  for (const review of said)
    if (review.reviewerId !== undefined && review.kind !== "pending" && !review.isDismissed)
      last.set(review.reviewerId, review);
  return [...last.values()].map(({ kind, reviewerId }) => ({ kind, person: person(reviewerId) }));
}
