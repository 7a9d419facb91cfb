import { isPartial, json } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import type { Parent } from "../../src/issues/attachments/service.ts";
import { seenComment } from "../../src/issues/comments/api.ts";
import { seenIssue } from "../../src/issues/item.ts";
import { requireEdit } from "../../src/issues/rights.ts";
import { Conflict, Failure, NotFound } from "../../src/kernel/errors.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import { Prose } from "../components/prose.tsx";
import { formErrors, readForm, refusalOf, refusalText } from "../form-data.ts";
import { deletedFlash } from "../item-bin/undo.ts";
import { repoFrame } from "../repos/frame.ts";
import { redirectAfterPost, shellOf, show, showPart } from "../visit.ts";
import { changesItems, showsItems } from "./access.ts";
import { EditInPlace, EditPage } from "./edit-page.tsx";
import { itemHref } from "./entries.ts";
import { boxActions } from "./item-data.ts";
import type { Conversations } from "./routes.tsx";
import { sent } from "./sent.ts";

const onItem = "/:owner/:repo/issues/:index";
const onComment = "/:owner/:repo/comments/:id";

/** Texts of items and comments: edit, tick, delete, react, preview. */
export function commentPages(of: Conversations): Route[] {
  const { services } = of;
  const page = { surface: "page" } as const;
  const changes = { ...page, method: "POST", access: changesItems } as const;
  const item = (call: Call): Parent => ({ item: seenIssue(call, services.issues), entry: undefined });
  const comment = (call: Call): Parent => seenComment(call, services);
  return [
    {
      ...page,
      method: "GET",
      access: changesItems,
      path: `${onItem}/edit`,
      handle: (call) => edit(of, call, item(call)),
    },
    {
      ...page,
      method: "GET",
      access: changesItems,
      path: `${onComment}/edit`,
      handle: (call) => edit(of, call, comment(call)),
    },
    { ...changes, path: `${onItem}/content`, handle: (call) => save(of, call, item(call)) },
    { ...changes, path: onComment, handle: (call) => save(of, call, comment(call)) },
    { ...changes, path: `${onItem}/tasks`, handle: (call) => tick(of, call, item(call)) },
    { ...changes, path: `${onComment}/tasks`, handle: (call) => tick(of, call, comment(call)) },
    ...(["react", "unreact"] as const).flatMap((what) => [
      { ...changes, path: `${onItem}/reactions/${what}`, handle: (call: Call) => react(of, call, item(call), what) },
      {
        ...changes,
        path: `${onComment}/reactions/${what}`,
        handle: (call: Call) => react(of, call, comment(call), what),
      },
    ]),
    { ...changes, path: `${onComment}/delete`, handle: (call) => remove(of, call) },
    {
      ...page,
      method: "POST",
      access: { ...showsItems, who: "user" },
      path: "/:owner/:repo/issues/preview",
      handle: (call) => preview(of, call),
    },
  ];
}

const placeOf = ({ item, entry }: Parent) =>
  `${itemHref(item)}#${entry ? `issuecomment-${entry.id}` : `issue-${item.issue.id}`}`;

/** @throws Forbidden; NotFound for an entry without a text */
function requireChange({ services }: Conversations, { item, entry }: Parent): void {
  if (!entry) requireEdit(item);
  else if (!services.comments.mayChange({ item, entry })) throw new NotFound();
}

/** The edit form for a text: a fragment for the script, otherwise a page. */
async function edit(of: Conversations, call: Call, parent: Parent): Promise<Response> {
  requireChange(of, parent);
  const { item, entry } = parent;
  return editPage(of, call, parent, {
    text: entry?.body ?? item.issue.body,
    version: entry?.contentVersion ?? item.issue.contentVersion,
  });
}

async function editPage(
  { services }: Conversations,
  call: Call,
  { item, entry }: Parent,
  given: { readonly text: string; readonly version: number; readonly error?: string; readonly status?: 400 },
): Promise<Response> {
  const page = itemHref(item);
  const action = entry ? itemHref({ ...item }).replace(/\/[^/]+\/[^/]+$/, `/comments/${entry.id}`) : `${page}/content`;
  const form = {
    action,
    back: placeOf({ item, entry }),
    text: given.text,
    version: given.version,
    error: given.error,
    box: { id: `edit-${entry?.id ?? "item"}`, draft: `${action}@${given.version}`, ...boxActions(services, item) },
  };
  if (isPartial(call.request) && !given.error) return showPart(call, <EditInPlace {...form} />);
  const repo = await repoFrame(services, item.seen);
  const view = (
    <EditPage
      shell={shellOf(services, call)}
      repo={repo}
      form={form}
      title={`${item.issue.title} #${item.issue.number}`}
      isPull={item.issue.isPull}
    />
  );
  return show(call, view, { status: given.status ?? (given.error ? 422 : 200) });
}

async function save(of: Conversations, call: Call, parent: Parent): Promise<Response> {
  const { comments, itemForms } = of.services;
  const form = await readForm(call);
  const { item, entry } = parent;
  const text = form.exact("content").replaceAll("\r\n", "\n");
  const version = form.number("content_version");
  requireChange(of, parent);
  try {
    // A page always knows the version it shows: a text that has changed since is not overwritten.
    if (version === undefined) throw new Conflict("comment.changed", { field: "content_version" });
    const files = form.checked("ignore_attachments") ? [] : sent(form, "files");
    if (entry) comments.edit({ item, entry }, text, { contentVersion: version, files });
    else itemForms.rewrite(item, text, version, files);
  } catch (error) {
    // A concurrent change is 400, as clients of the reference expect.
    const isLate = error instanceof Conflict;
    if (isLate && call.request.headers.get("accept")?.includes("json"))
      return json({ errorMessage: refusalText(call, error) }, 400);
    const errors = formErrors(call, error, { body: "content" });
    return editPage(of, call, parent, {
      text,
      version: version ?? 0,
      error: errors.content ?? errors.form ?? "",
      ...(isLate ? { status: 400 } : {}),
    });
  }
  return redirectAfterPost(of.services, call, placeOf(parent));
}

/** Toggles a checkbox of a task list, for the script. */
async function tick(of: Conversations, call: Call, parent: Parent): Promise<Response> {
  const { withTask } = await import("../../src/references/tasks.ts");
  const { comments, issues } = of.services;
  const form = await readForm(call);
  const { item, entry } = parent;
  requireChange(of, parent);
  try {
    const version = form.number("content_version");
    const body = withTask(entry?.body ?? item.issue.body, form.number("task") ?? -1, form.checked("done"));
    if (body === undefined || version === undefined) throw new Conflict("comment.changed");
    const present = entry
      ? comments.edit({ item, entry }, body, { contentVersion: version }).entry.contentVersion
      : issues.edit(item, { body, contentVersion: version }).issue.contentVersion;
    return json({ content_version: present });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return json({ message: refusalText(call, error) }, error.status);
  }
}

async function react(
  { services }: Conversations,
  call: Call,
  parent: Parent,
  what: "react" | "unreact",
): Promise<Response> {
  const form = await readForm(call);
  try {
    if (what === "react") services.reactions.add(parent, form.text("content"));
    else services.reactions.remove(parent, form.text("content"));
  } catch (error) {
    return redirectAfterPost(services, call, placeOf(parent), { kind: "error", text: refusalOf(call, error) });
  }
  return redirectAfterPost(services, call, placeOf(parent));
}

async function remove({ services }: Conversations, call: Call): Promise<Response> {
  const comment = seenComment(call, services);
  let binnedId: number | undefined;
  try {
    binnedId = services.comments.remove(comment);
  } catch (error) {
    return redirectAfterPost(services, call, placeOf(comment), { kind: "error", text: refusalOf(call, error) });
  }
  const { issue, seen } = comment.item;
  const flash = deletedFlash(call, seen, { number: issue.number, isComment: true }, binnedId);
  return redirectAfterPost(services, call, itemHref(comment.item), flash);
}

/** A preview of a text. `field` names the form field that holds it. */
async function preview({ texts }: Conversations, call: Call): Promise<Response> {
  const form = await readForm(call);
  const text = form.exact(form.text("field") || "content").slice(0, 65_535);
  const [html] = await texts.show(seenRepo(call), [{ text, suffix: "preview" }]);
  return showPart(call, <Prose html={html ?? ("" as never)} />);
}
