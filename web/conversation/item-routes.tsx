import { json } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { endOfGivenDay } from "../../src/issues/deadlines.ts";
import { seenIssue } from "../../src/issues/item.ts";
import { requireWrite } from "../../src/issues/rights.ts";
import type { SeenIssue } from "../../src/issues/types.ts";
import { Redirected } from "../../src/kernel/errors.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import { type Form, formErrors, readForm, refusalOf } from "../form-data.ts";
import { deletedFlash } from "../item-bin/undo.ts";
import { wordsFor } from "../language.ts";
import { eventStream } from "../live.ts";
import { repoFrame } from "../repos/frame.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { changesItems, showsItems, usesItems } from "./access.ts";
import { askedConversation } from "./asked.ts";
import { homeOfItem, itemHref } from "./entries.ts";
import { externalIssueAddress } from "./external.ts";
import { itemPage } from "./item-data.ts";
import { ItemPage } from "./item-page.tsx";
import type { Conversations } from "./routes.tsx";
import { sent } from "./sent.ts";
import { conversationWords } from "./words/index.ts";

const at = "/:owner/:repo/issues/:index";

/** The page of an issue, and its forms (contract issues.md 27). */
export function itemPages(of: Conversations): Route[] {
  const { services } = of;
  const page = { surface: "page" } as const;
  const changes = { ...page, method: "POST", access: changesItems } as const;
  return [
    { ...page, method: "GET", path: at, access: showsItems, handle: (call) => showItem(of, call) },
    {
      ...page,
      method: "GET",
      path: `${at}/-/events`,
      access: showsItems,
      handle: (call) => eventStream(services, call, `issue:${seenIssue(call, services.issues).issue.id}`),
    },
    { ...page, method: "GET", path: `${at}/info`, access: showsItems, handle: (call) => json(infoOf(of, call)) },
    { ...changes, path: `${at}/comments`, handle: (call) => comment(of, call) },
    {
      ...changes,
      path: `${at}/title`,
      handle: (call) =>
        change(of, call, (item, form) => services.issues.edit(item, { title: form.text("title") || " " })),
    },
    {
      ...changes,
      path: `${at}/labels`,
      handle: (call) =>
        change(of, call, (item, form) => services.itemForms.chooseLabels(item, sent(form, "labels").map(Number))),
    },
    {
      ...changes,
      path: `${at}/assignees`,
      handle: (call) =>
        change(of, call, (item, form) => {
          requireWrite(item);
          services.issues.edit(item, { assignees: sent(form, "assignees") });
        }),
    },
    {
      ...changes,
      path: `${at}/milestone`,
      handle: (call) =>
        change(of, call, (item, form) => {
          requireWrite(item);
          services.issues.edit(item, { milestoneId: form.number("milestone") ?? 0 });
        }),
    },
    {
      ...changes,
      path: `${at}/deadline`,
      handle: (call) =>
        change(of, call, (item, form) => {
          requireWrite(item);
          services.issues.edit(item, { dueAt: endOfDay(form.text("deadline")) });
        }),
    },
    {
      ...changes,
      path: `${at}/ref`,
      handle: (call) => change(of, call, (item, form) => services.issues.edit(item, { ref: form.text("ref") })),
    },
    {
      ...page,
      method: "POST",
      access: usesItems,
      path: `${at}/watch`,
      handle: (call) =>
        change(of, call, (item, form) => {
          const { user } = item.seen.principal;
          if (user) services.itemWatches.set(item, user, form.checked("watch"));
        }),
    },
    {
      ...changes,
      path: `${at}/lock`,
      handle: (call) =>
        change(of, call, (item, form) => {
          requireWrite(item);
          services.itemLocks.lock(item, form.text("reason"));
        }),
    },
    {
      ...changes,
      path: `${at}/unlock`,
      handle: (call) =>
        change(of, call, (item) => {
          requireWrite(item);
          services.itemLocks.unlock(item);
        }),
    },
    {
      ...changes,
      path: `${at}/pin`,
      handle: (call) =>
        change(of, call, (item) => (item.issue.pinOrder > 0 ? services.pins.unpin(item) : services.pins.pin(item))),
    },
    { ...changes, path: `${at}/delete`, handle: (call) => remove(of, call) },
  ];
}

/** @throws Redirected for a pull request, which has another page, and for an issue in an external tracker */
export function shownItem({ services }: Conversations, call: Call): SeenIssue {
  const seen = seenRepo(call);
  const elsewhere = externalIssueAddress(seen, call.params["index"] ?? "");
  if (elsewhere) throw new Redirected(303, elsewhere);
  return seenIssue(call, services.issues);
}

async function showItem(of: Conversations, call: Call): Promise<Response> {
  const item = shownItem(of, call);
  if (item.issue.isPull) throw new Redirected(303, itemHref(item));
  return conversationPage(of, call, item);
}

/** The page; after a refused comment, with the typed text. */
async function conversationPage(
  { services, texts }: Conversations,
  call: Call,
  item: SeenIssue,
  refused?: { readonly text: string; readonly error: string },
): Promise<Response> {
  const [view, repo] = await Promise.all([
    itemPage(services, texts, item, askedConversation(services, call, item, refused !== undefined)),
    repoFrame(services, item.seen),
  ]);
  const comment =
    refused && typeof view.comment !== "string"
      ? { ...view.comment, box: { ...view.comment.box, value: refused.text, error: refused.error } }
      : view.comment;
  return show(call, <ItemPage {...view} comment={comment} repo={repo} shell={shellOf(services, call)} />, {
    status: refused ? 422 : 200,
  });
}

/** Performs the action of a form on the page, and redirects back to it. */
export async function change(
  of: Conversations,
  call: Call,
  work: (item: SeenIssue, form: Form) => unknown,
): Promise<Response> {
  const { services } = of;
  const form = await readForm(call);
  const item = seenIssue(call, services.issues);
  try {
    await work(item, form);
  } catch (error) {
    return redirectAfterPost(services, call, itemHref(item), { kind: "error", text: refusalOf(call, error) });
  }
  return redirectAfterPost(services, call, itemHref(item));
}

/** A comment, a change of state, or both. */
async function comment(of: Conversations, call: Call): Promise<Response> {
  const { issues, itemForms } = of.services;
  const form = await readForm(call);
  const item = seenIssue(call, issues);
  const text = form.exact("content").replaceAll("\r\n", "\n");
  const status = form.text("status");
  const isClosed = status === "close" ? true : status === "reopen" ? false : undefined;
  try {
    const made = itemForms.say(item, { text, files: sent(form, "files"), isClosed });
    return redirectAfterPost(of.services, call, `${itemHref(item)}${made ? `#issuecomment-${made.entry.id}` : ""}`);
  } catch (error) {
    const { content, form: refusal } = formErrors(call, error, { body: "content" });
    const why = content ?? refusal ?? "";
    if (item.issue.isPull) return redirectAfterPost(of.services, call, itemHref(item), { kind: "error", text: why });
    return conversationPage(of, call, issues.again(item), { text, error: why });
  }
}

async function remove({ services }: Conversations, call: Call): Promise<Response> {
  const form = await readForm(call);
  const item = seenIssue(call, services.issues);
  const t = wordsFor(call, conversationWords);
  if (!form.confirms("confirm", `#${item.issue.number}`))
    return redirectAfterPost(services, call, itemHref(item), { kind: "error", text: t("notConfirmed") });
  let binnedId: number | undefined;
  try {
    binnedId = services.itemBin.remove(item);
  } catch (error) {
    return redirectAfterPost(services, call, itemHref(item), { kind: "error", text: refusalOf(call, error) });
  }
  const list = homeOfItem(item, item.issue.isPull ? "pulls" : "issues");
  const what = { number: item.issue.number, isComment: false };
  return redirectAfterPost(services, call, list, deletedFlash(call, item.seen, what, binnedId));
}

/** The JSON for the preview of an item when the pointer is on a link. */
function infoOf({ services }: Conversations, call: Call) {
  const { issue, seen } = seenIssue(call, services.issues);
  return {
    number: issue.number,
    title: issue.title,
    state: issue.isClosed ? "closed" : "open",
    isPull: issue.isPull,
    repository: `${seen.owner.login}/${seen.repo.name}`,
  };
}

/** The last second of a day; `null`: no day. @throws ValidationFailed when it is not a date */
function endOfDay(day: string): number | null {
  return day === "" ? null : endOfGivenDay(`${day}T00:00:00Z`, "deadline");
}
