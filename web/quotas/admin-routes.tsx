import { type Call, param, type Route } from "../../src/http/route.ts";
import { Failure, ValidationFailed } from "../../src/kernel/errors.ts";
import { readSize } from "../../src/kernel/size.ts";
import { administersQuotas } from "../../src/quotas/access.ts";
import type { WebServices } from "../area.ts";
import { type Form, readForm, refusalText } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { pageOf } from "../list-query.ts";
import { personOf } from "../people.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { GroupPage, QuotasPage, type RuleForm } from "./admin.tsx";
import { groupHref, QUOTAS } from "./admin-links.ts";
import { quotaWords } from "./words/index.ts";

const PER_PAGE = 30;

/** Quota rules and groups, for site administrators. */
export function quotaAdminPages(services: WebServices): Route[] {
  const page = { surface: "page", access: administersQuotas } as const;
  const group = `${QUOTAS}/groups/:quotagroup`;
  return [
    { ...page, method: "GET", path: QUOTAS, handle: (call) => list(services, call) },
    { ...page, method: "POST", path: `${QUOTAS}/rules`, handle: (call) => saveRule(services, call) },
    { ...page, method: "POST", path: `${QUOTAS}/rules/delete`, handle: (call) => deleteRule(services, call) },
    { ...page, method: "POST", path: `${QUOTAS}/groups`, handle: (call) => createGroup(services, call) },
    { ...page, method: "POST", path: `${QUOTAS}/groups/delete`, handle: (call) => deleteGroup(services, call) },
    { ...page, method: "GET", path: group, handle: (call) => showGroup(services, call) },
    { ...page, method: "POST", path: `${group}/rules`, handle: (call) => changeRules(services, call) },
    { ...page, method: "POST", path: `${group}/members`, handle: (call) => changeMembers(services, call) },
  ];
}

function list(services: WebServices, call: Call, rule?: RuleForm): Response {
  const { quotaAdministration, quotas } = services;
  const view = (
    <QuotasPage
      shell={shellOf(services, call)}
      isEnabled={quotas.isEnabled}
      rules={quotaAdministration.rules(call.principal)}
      groups={quotaAdministration.groups(call.principal)}
      form={rule ?? { values: { name: "", limit: "" }, subjects: ["size:all"] }}
    />
  );
  return show(call, view, { status: rule ? 422 : 200 });
}

/** Takes `name`, `limit` and `subjects`; with `before`, changes the limit of the rule with that name. */
async function saveRule(services: WebServices, call: Call): Promise<Response> {
  const { quotaAdministration } = services;
  const form = await readForm(call);
  const isNew = !form.has("before");
  const name = form.text(isNew ? "name" : "before").slice(0, 200);
  const subjects = form.texts("subjects");
  try {
    const limit = limitOf(form);
    if (isNew) quotaAdministration.addRule(call.principal, { name, limit, subjects });
    else quotaAdministration.editRule(call.principal, name, { limit });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (!isNew) return redirectAfterPost(services, call, QUOTAS, { kind: "error", text: textOf(call, error) });
    const values = { name, limit: form.text("limit").slice(0, 50) };
    return list(services, call, { values, subjects, errors: { [error.field ?? "form"]: textOf(call, error) } });
  }
  return done(services, call, QUOTAS);
}

/** @throws ValidationFailed */
function limitOf(form: Form): number {
  const limit = readSize(form.text("limit"));
  if (limit === undefined)
    throw new ValidationFailed("value.not-allowed", { field: "limit", params: { name: "Limit" } });
  return limit;
}

function textOf(call: Call, error: Failure): string {
  return error.field === "limit" ? wordsFor(call, quotaWords)("badLimit") : refusalText(call, error);
}

async function deleteRule(services: WebServices, call: Call): Promise<Response> {
  const name = (await readForm(call)).text("name");
  return attempt(services, call, QUOTAS, () => services.quotaAdministration.removeRule(call.principal, name));
}

async function createGroup(services: WebServices, call: Call): Promise<Response> {
  const name = (await readForm(call)).text("name");
  return attempt(services, call, QUOTAS, () => services.quotaAdministration.addGroup(call.principal, name));
}

async function deleteGroup(services: WebServices, call: Call): Promise<Response> {
  const name = (await readForm(call)).text("name");
  return attempt(services, call, QUOTAS, () => services.quotaAdministration.removeGroup(call.principal, name));
}

function showGroup(services: WebServices, call: Call): Response {
  const { quotaAdministration } = services;
  const group = quotaAdministration.group(call.principal, param(call, "quotagroup"));
  const slice = pageOf(call, PER_PAGE);
  const { items, total } = quotaAdministration.members(call.principal, group.name, slice);
  const chosen = new Set(group.rules.map(({ name }) => name));
  return show(
    call,
    <GroupPage
      shell={shellOf(services, call)}
      group={group}
      otherRules={quotaAdministration.rules(call.principal).filter(({ name }) => !chosen.has(name))}
      members={items.map(personOf)}
      pages={{ page: slice.page, perPage: PER_PAGE, total, href: groupHref(group.name) }}
    />,
  );
}

/** Takes `rule` and `action`: add or remove. */
async function changeRules(services: WebServices, call: Call): Promise<Response> {
  const { quotaAdministration } = services;
  const form = await readForm(call);
  const [group, rule] = [param(call, "quotagroup"), form.text("rule")];
  return attempt(services, call, groupHref(group), () => {
    if (form.text("action") === "remove") quotaAdministration.removeRuleFrom(call.principal, group, rule);
    else quotaAdministration.addRuleTo(call.principal, group, rule);
  });
}

/** Takes `user_name` and `action`: add or remove. */
async function changeMembers(services: WebServices, call: Call): Promise<Response> {
  const { identity, quotaAdministration } = services;
  const form = await readForm(call);
  const group = param(call, "quotagroup");
  const user = identity.byLogin(form.text("user_name").slice(0, 255));
  if (!user) {
    const text = wordsFor(call, quotaWords)("noSuchAccount");
    return redirectAfterPost(services, call, groupHref(group), { kind: "error", text });
  }
  return attempt(services, call, groupHref(group), () => {
    if (form.text("action") === "remove") quotaAdministration.removeMember(call.principal, group, user);
    else quotaAdministration.addMember(call.principal, group, user);
  });
}

/** Does the work and redirects to the page, with a message about the outcome. */
function attempt(services: WebServices, call: Call, place: string, work: () => void): Response {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Failure) || error.status === 403) throw error;
    return redirectAfterPost(services, call, place, { kind: "error", text: refusalText(call, error) });
  }
  return done(services, call, place);
}

function done(services: WebServices, call: Call, place: string): Response {
  return redirectAfterPost(services, call, place, { kind: "success", text: wordsFor(call, quotaWords)("saved") });
}
