import { json } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { ghost } from "../../src/identity/system-users.ts";
import { seenIssue } from "../../src/issues/item.ts";
import { Failure, NotFound } from "../../src/kernel/errors.ts";
import { readForm, refusalOf, refusalText } from "../form-data.ts";
import { languageOfCall, wordsFor } from "../language.ts";
import { withQuery } from "../links.ts";
import { personOf } from "../people.ts";
import { repoFrame } from "../repos/frame.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { changesItems, showsItems } from "./access.ts";
import { itemHref } from "./entries.ts";
import { HistoryPage } from "./history-page.tsx";
import type { Conversations } from "./routes.tsx";
import { changedLines, htmlOfChange } from "./text-change.ts";
import { conversationWords } from "./words/index.ts";

const at = "/:owner/:repo/issues/:index";

/** Earlier versions of texts: a page, and the JSON that clients of the reference expect (contract issues.md 17). */
export function historyPages(of: Conversations): Route[] {
  const page = { surface: "page", method: "GET", access: showsItems } as const;
  const json = `${at}/content-history`;
  return [
    { ...page, path: `${at}/history`, handle: (call) => history(of, call) },
    { ...page, path: `${json}/overview`, handle: (call) => overview(of, call) },
    { ...page, path: `${json}/list`, handle: (call) => list(of, call) },
    { ...page, path: `${json}/detail`, handle: (call) => detail(of, call) },
    { ...page, method: "POST", access: changesItems, path: `${json}/soft-delete`, handle: (call) => blank(of, call) },
  ];
}

const numberIn = (text: string | null) => (/^\d{1,15}$/.test(text ?? "") ? Number(text) : 0);

async function history({ services }: Conversations, call: Call): Promise<Response> {
  const { identity, issues, textRevisions } = services;
  const item = seenIssue(call, issues);
  const entryId = numberIn(call.query.get("comment_id")) || undefined;
  const revisions = textRevisions.list(item, entryId);
  if (revisions.length === 0) throw new NotFound();
  const people = identity.byIds([...new Set(revisions.flatMap(({ userId }) => userId ?? []))]);
  const views = revisions.map((revision, place) => ({
    id: revision.id,
    person: personOf(people.get(revision.userId ?? 0) ?? ghost),
    at: revision.createdAt,
    isDeleted: revision.isDeleted,
    mayDelete: textRevisions.find(item, revision.id).mayDelete,
    lines: revision.isDeleted ? [] : changedLines(revisions[place + 1]?.body ?? "", revision.body),
  }));
  const action = `${itemHref(item)}/content-history/soft-delete`;
  return show(
    call,
    <HistoryPage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, item.seen)}
      title={`${item.issue.title} #${item.issue.number}`}
      isPull={item.issue.isPull}
      back={`${itemHref(item)}#${entryId === undefined ? `issue-${item.issue.id}` : `issuecomment-${entryId}`}`}
      entryId={entryId ?? 0}
      action={action}
      revisions={views}
    />,
  );
}

function overview({ services }: Conversations, call: Call): Response {
  const item = seenIssue(call, services.issues);
  const t = wordsFor(call, conversationWords);
  const editedHistoryCountMap = Object.fromEntries(services.textRevisions.counts(item));
  return json({
    i18n: {
      textEdited: t("edited"),
      textDeleteFromHistory: t("deleteRevision"),
      textDeleteFromHistoryConfirm: t("reallyDelete"),
    },
    editedHistoryCountMap,
  });
}

function list({ services }: Conversations, call: Call): Response {
  const { identity, issues, textRevisions } = services;
  const item = seenIssue(call, issues);
  const language = languageOfCall(call);
  const revisions = textRevisions.list(item, numberIn(call.query.get("comment_id")) || undefined);
  const people = identity.byIds([...new Set(revisions.flatMap(({ userId }) => userId ?? []))]);
  return json({
    results: revisions.map(({ createdAt, id, isDeleted, userId }) => {
      const name = Bun.escapeHTML((people.get(userId ?? 0) ?? ghost).login);
      const time = `<time datetime="${new Date(createdAt).toISOString()}">${Bun.escapeHTML(language.day(createdAt))}</time>`;
      return { name: isDeleted ? `<del>${name} ${time}</del>` : `${name} ${time}`, value: id };
    }),
  });
}

function detail({ services }: Conversations, call: Call): Response {
  const item = seenIssue(call, services.issues);
  const { mayDelete, previous, revision } = services.textRevisions.find(item, numberIn(call.query.get("history_id")));
  return json({
    canSoftDelete: mayDelete,
    historyId: revision.id,
    prevHistoryId: previous?.id ?? 0,
    diffHtml: htmlOfChange(changedLines(previous?.body ?? "", revision.body)),
  });
}

async function blank({ services }: Conversations, call: Call): Promise<Response> {
  const item = seenIssue(call, services.issues);
  const form = await readForm(call);
  const entryId = form.number("comment_id") || undefined;
  const isPage = form.checked("page");
  const back = withQuery(`${itemHref(item)}/history`, { comment_id: entryId });
  try {
    services.textRevisions.blank(item, entryId, form.number("history_id") ?? 0);
  } catch (error) {
    if (isPage) return redirectAfterPost(services, call, back, { kind: "error", text: refusalOf(call, error) });
    if (error instanceof Failure && error.status === 403) return json({ message: refusalText(call, error) }, 403);
    throw error;
  }
  return isPage ? redirectAfterPost(services, call, back) : json({ ok: true });
}
