import { json } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { mayWrite } from "../../src/issues/rights.ts";
import type { SeenIssue } from "../../src/issues/types.ts";
import { Failure, NotFound } from "../../src/kernel/errors.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import { type Form, readForm, refusalText } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { localPath } from "../redirect-target.ts";
import { homeOf } from "../repos/frame.ts";
import { redirectAfterPost } from "../visit.ts";
import { administersItemsPage, changesItemsPage } from "./access.ts";
import { issueListWords } from "./words/index.ts";

/** Maximum items per request. */
const MAX_ITEMS = 100;

export type Change = (services: WebServices, items: readonly SeenIssue[], form: Form, call: Call) => void;

/** Changes several items at once (contract issues.md 27): all of them or none. */
export function bulkRoutes(services: WebServices): Route[] {
  const changes: Readonly<Record<string, Change>> = {
    labels: changeLabels,
    milestone: changeMilestone,
    assignee: changeAssignee,
    status: changeStatus,
    delete: deleteItems,
  };
  return Object.entries(changes).map(([name, change]) => ({
    surface: "page",
    method: "POST",
    access: name === "delete" ? administersItemsPage : changesItemsPage,
    path: `/:owner/:repo/issues/${name}`,
    handle: (call) => changeSeveral(services, call, byWriters(change), { isTold: true }),
  }));
}

const byWriters =
  (change: Change): Change =>
  (services, items, form, call) => {
    // Not even their author may change items here.
    if (!items.every(mayWrite)) throw new NotFound();
    change(services, items, form, call);
  };

/**
 * Changes the items named in the URL (by programs) or in a form's fields. Programs expect JSON; our own forms say where
 * to go afterwards.
 * @param isTold whether the next page says how many were changed
 */
export async function changeSeveral(
  services: WebServices,
  call: Call,
  change: Change,
  { isTold }: { readonly isTold: boolean },
): Promise<Response> {
  const seen = seenRepo(call);
  const form = await readForm(call);
  const given = [...form.texts("issue_ids"), call.query.get("issue_ids") ?? ""].flatMap((ids) => ids.split(","));
  const ids = [...new Set(given.flatMap((id) => (/^\d{1,15}$/.test(id) ? [Number(id)] : [])))];
  const back = localPath(form.text("redirect_to"));
  const items = services.issues.inRepo(seen, ids);
  if (ids.length === 0 || ids.length > MAX_ITEMS) {
    if (!back) throw new NotFound();
    return redirectAfterPost(services, call, back, {
      kind: "error",
      text: wordsFor(call, issueListWords)("nothingSelected", { max: MAX_ITEMS }),
    });
  }
  if (items.length < ids.length) throw new NotFound();
  try {
    services.issues.together(() => change(services, items, form, call));
  } catch (error) {
    if (!back || !(error instanceof Failure) || error.status === 404) throw error;
    return redirectAfterPost(services, call, back, { kind: "error", text: refusalText(call, error) });
  }
  if (!back) return json({ ok: true, redirect: homeOf(seen, "issues") });
  const text = wordsFor(call, issueListWords)("changedItems", { count: items.length });
  return redirectAfterPost(services, call, back, isTold ? { kind: "success", text } : undefined);
}

export const actionOf = (form: Form, { query }: Call) => query.get("action") || form.text("action");
const idOf = (form: Form, name: string) => form.number("id") ?? form.number(name) ?? 0;

const changeLabels: Change = ({ labelling }, items, form, call) => {
  const action = actionOf(form, call);
  for (const item of items) {
    if (action === "clear") {
      labelling.clear(item);
      continue;
    }
    const labels = labelling.usable(item, [idOf(form, "label")]);
    const [label] = labels;
    if (!label) throw new NotFound();
    const has = labelling.of(item).some(({ id }) => id === label.id);
    const removes = action === "detach" || (action.startsWith("toggle") && has);
    if (removes) labelling.remove(item, labels);
    else labelling.add(item, labels);
  }
};

const changeMilestone: Change = ({ issues }, items, form) => {
  for (const item of items) {
    issues.edit(item, { milestoneId: idOf(form, "milestone") });
  }
};

const changeAssignee: Change = ({ assignees, identity }, items, form, call) => {
  const action = actionOf(form, call);
  const team = form.text("assignee").includes("/") ? form.text("assignee") : undefined;
  const name = team ?? identity.byId(idOf(form, "assignee"))?.login;
  for (const item of items) {
    if (action === "clear" || name === undefined) {
      assignees.set(item, []);
      continue;
    }
    const users = assignees.named(item.seen, [name]);
    const present = assignees.idsOf(item);
    const has = users.every(({ id }) => present.includes(id));
    if (action === "detach" || (action === "toggle" && has)) assignees.remove(item, users);
    else assignees.add(item, users);
  }
};

const changeStatus: Change = ({ issues }, items, form, call) => {
  const isClosed = ["close", "closed"].includes(actionOf(form, call));
  for (const item of items) issues.edit(item, { state: isClosed ? "closed" : "open" });
};

const deleteItems: Change = ({ itemBin }, items) => {
  for (const item of items) itemBin.remove(item);
};
