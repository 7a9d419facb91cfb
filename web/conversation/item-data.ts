import { mayEdit, mayWrite } from "../../src/issues/rights.ts";
import type { TimelineEntry } from "../../src/issues/timeline/types.ts";
import type { SeenIssue } from "../../src/issues/types.ts";
import type { WebServices } from "../area.ts";
import { withQuery } from "../links.ts";
import { absentPerson, personOf } from "../people.ts";
import type { CommentActions } from "./comment-card.tsx";
import { type CommentView, entryViews, fileOf, homeOfItem, itemActions, itemHref } from "./entries.ts";
import type { ItemPageProps } from "./item-page.tsx";
import { mergedEvents } from "./merged-events.ts";
import { shownReactions } from "./shown-reactions.ts";
import { sidebarOf } from "./sidebar-data.ts";
import { standingsIn } from "./standing.ts";
import type { ConversationTexts } from "./texts.ts";

/** Entries shown initially; of more, the first few and the last, the ones between on demand. */
const SHOWN = 60;
const SHOWN_FIRST = 10;
const SHOWN_LAST = 30;

/** The requested part of a long conversation, and the time from which entries are new. */
export interface Asked {
  /** How many entries to show from the beginning. */
  readonly until?: number | undefined;
  readonly readAt: number | undefined;
}

/** Everything on an item's page except its frame, for callers who may see the item. */
export async function itemPage(
  services: WebServices,
  texts: ConversationTexts,
  item: SeenIssue,
  { readAt, until }: Asked,
): Promise<Omit<ItemPageProps, "shell" | "repo">> {
  const { comments, identity, reactions } = services;
  const { issue, seen } = item;
  const [page, actions] = [itemHref(item), itemActions(item)];
  const { begin, count, end, folded, shownUntil } = entriesOf(services, item, until);
  const [[first], all] = await Promise.all([
    firstViews(services, texts, item),
    entryViews(services, texts, item, [...begin, ...end], readAt),
  ]);
  if (!first) throw new Error("an item has a text of its own");
  const poster = issue.posterId === undefined ? undefined : identity.byId(issue.posterId);
  const { user } = seen.principal;
  const mayComment = user !== undefined && !seen.repo.isArchived && (!issue.isLocked || mayWrite(item));
  const mayReact = mayComment;
  const query = { ...(until === undefined ? {} : { until }), ...(readAt === undefined ? {} : { read: readAt }) };
  return {
    head: {
      title: issue.title,
      number: issue.number,
      isPull: issue.isPull,
      isClosed: issue.isClosed,
      isLocked: issue.isLocked,
      poster: poster ? personOf(poster) : absentPerson(issue),
      createdAt: issue.createdAt,
      comments: issue.comments,
      tasks: { done: issue.tasksDone, all: issue.tasks },
      titleAction: !seen.repo.isArchived && mayEdit(item) ? `${actions}/title` : undefined,
    },
    conversation: {
      first,
      begin: mergedEvents(all.slice(0, begin.length)),
      folded:
        folded === 0
          ? undefined
          : { count: folded, href: withQuery(page, { until: Math.min(shownUntil + SHOWN, count) }) },
      end: mergedEvents(all.slice(begin.length)),
      offered: reactions.offered,
      mayReply: mayComment,
      actionsOf: (view, isFirst) => actionsOf(services, item, view, isFirst, mayReact),
      live: { page: withQuery(page, query), events: `${actions}/-/events` },
    },
    sidebar: sidebarOf(services, item),
    comment: mayComment
      ? {
          action: `${actions}/comments`,
          box: {
            id: "comment-text",
            value: "",
            draft: `${page}#comment`,
            ...boxActions(services, item),
          },
          state: mayEdit(item) && comments ? (issue.isClosed ? "reopen" : "close") : undefined,
        }
      : user === undefined
        ? "visitor"
        : seen.repo.isArchived
          ? "archived"
          : "locked",
  };
}

/** URLs for a text box in the item's repository. */
export function boxActions({ attachments }: Pick<WebServices, "attachments">, item: Pick<SeenIssue, "seen">) {
  const home = (sub: string) => homeOfItem({ seen: item.seen } as SeenIssue, sub);
  return {
    previewAction: home("issues/preview"),
    suggestAction: home("issues/suggestions"),
    uploadAction: attachments.rules.isEnabled ? home("issues/attachments") : undefined,
  };
}

interface ShownEntries {
  readonly begin: readonly TimelineEntry[];
  readonly end: readonly TimelineEntry[];
  readonly folded: number;
  /** Number of entries shown from the beginning. */
  readonly shownUntil: number;
  readonly count: number;
}

function entriesOf({ hiddenEntries, timeline }: WebServices, item: SeenIssue, until: number | undefined): ShownEntries {
  const size = Math.max(until ?? 0, SHOWN);
  const { items, total } = timeline.list(item, {}, { limit: Math.min(size, MAX_SHOWN), offset: 0 });
  const wanted = (entries: readonly TimelineEntry[]) => hiddenEntries.leaveOut(item.seen.principal, entries);
  if (total <= items.length) return { begin: wanted(items), end: [], folded: 0, shownUntil: total, count: total };
  const shownUntil = until === undefined ? SHOWN_FIRST : Math.min(until, items.length);
  const begin = items.slice(0, shownUntil);
  const from = Math.max(shownUntil, total - SHOWN_LAST);
  const end = timeline.list(item, {}, { limit: SHOWN_LAST, offset: from }).items;
  return { begin: wanted(begin), end: wanted(end), folded: from - shownUntil, shownUntil, count: total };
}

/** The maximum for a page, whatever its URL requests. */
const MAX_SHOWN = 500;

/** The item's own text as the first comment. */
async function firstViews(services: WebServices, texts: ConversationTexts, item: SeenIssue): Promise<CommentView[]> {
  const { attachments, identity, reactions, textRevisions } = services;
  const { issue, seen } = item;
  const [html] = await texts.show(seen, [{ text: issue.body, suffix: "" }]);
  const poster = issue.posterId === undefined ? undefined : identity.byId(issue.posterId);
  const felt = reactions.counts({ item, entry: undefined }, []);
  const reactionsTo = shownReactions(identity, felt);
  return [
    {
      kind: "text",
      id: 0,
      person: poster ? personOf(poster) : absentPerson(issue),
      at: issue.createdAt,
      isNew: false,
      part: undefined,
      html: html ?? ("" as CommentView["html"]),
      editedAt: issue.contentVersion > 0 ? issue.updatedAt : undefined,
      revisions: textRevisions.counts(item).get(0) ?? 0,
      contentVersion: issue.contentVersion,
      files: attachments.of({ item, entry: undefined }).map(fileOf),
      reactions: reactionsTo(undefined),
      standing: standingsIn(services, seen, [issue.posterId ?? 0]).get(issue.posterId ?? 0),
      isAuthors: false,
      mayChange: !seen.repo.isArchived && mayEdit(item),
    },
  ];
}

function actionsOf(
  { links }: WebServices,
  item: SeenIssue,
  view: CommentView,
  isFirst: boolean,
  mayReact: boolean,
): CommentActions {
  const [page, actions] = [itemHref(item), itemActions(item)];
  const comment = homeOfItem(item, `comments/${view.id}`);
  const own = isFirst ? actions : comment;
  const anchor = isFirst ? `issue-${item.issue.id}` : `issuecomment-${view.id}`;
  return {
    anchor,
    page,
    refer: referHref(item, `${links.rootUrl.slice(0, -1)}${page}#${anchor}`),
    edit: `${own}/edit`,
    ...(isFirst ? {} : { remove: `${comment}/delete` }),
    react: mayReact ? `${own}/reactions` : undefined,
    tick: view.mayChange ? `${own}/tasks` : undefined,
    removeFile: homeOfItem(item, "issues/attachments/remove"),
    history: withQuery(`${actions}/history`, isFirst ? {} : { comment_id: view.id }),
  };
}

/** The form of a new issue that refers to a comment here; undefined when the viewer may not create one. */
function referHref({ issue, seen }: SeenIssue, place: string): string | undefined {
  const mayMake = seen.principal.user !== undefined && !seen.repo.isArchived && !seen.repo.settings.externalTracker;
  if (!mayMake || seen.access.on("issues") === "none") return undefined;
  return withQuery(homeOfItem({ issue, seen, level: "read" }, "issues/new"), { body: `> ${place}\n\n` });
}
