import { type Call, param, type Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { changeRules, readRules } from "../../src/protections/access.ts";
import type { TagRule } from "../../src/protections/tags/types.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import type { FormState } from "../components/form.tsx";
import { type Form, formErrors, readForm, refusalOf } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { namesIn } from "./rule-form.ts";
import { type TagField, type TagRuleItem, TagSettingsPage } from "./tags.tsx";
import { protectionsWords } from "./words/index.ts";

const PAGE = "settings/tags";

/** Tag protection rules (contract web.md 1.11). */
export function tagRulePages(services: WebServices): Route[] {
  const at = (path: string) => ({ surface: "page", path: `/:owner/:repo/${path}` }) as const;
  return [
    { ...at(PAGE), method: "GET", access: readRules, handle: (call) => tags(services, call, undefined, {}) },
    { ...at(PAGE), method: "POST", access: changeRules, handle: (call) => save(services, call, undefined) },
    { ...at(`${PAGE}/delete`), method: "POST", access: changeRules, handle: (call) => remove(services, call) },
    { ...at(`${PAGE}/:id`), method: "GET", access: readRules, handle: (call) => editForm(services, call) },
    {
      ...at(`${PAGE}/:id`),
      method: "POST",
      access: changeRules,
      handle: (call) => save(services, call, ruleOf(services, call, param(call, "id"))),
    },
  ];
}

/** @throws NotFound */
function ruleOf({ tagProtections }: WebServices, call: Call, id: string): TagRule {
  if (!/^\d{1,15}$/.test(id)) throw new NotFound();
  return tagProtections.get(seenRepo(call), Number(id));
}

async function tags(
  services: WebServices,
  call: Call,
  edited: TagRule | undefined,
  form: FormState<TagField>,
): Promise<Response> {
  const seen = seenRepo(call);
  const { tagProtections } = services;
  const item = (rule: TagRule): TagRuleItem => ({
    id: rule.id,
    pattern: rule.pattern,
    ...tagProtections.namesOf(rule),
  });
  const view = (
    <TagSettingsPage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      rules={tagProtections.list(seen).map(item)}
      edited={edited?.id}
      form={form}
      hasTeams={seen.owner.kind === "organization"}
    />
  );
  return show(call, view, { status: form.errors ? 422 : 200 });
}

async function editForm(services: WebServices, call: Call): Promise<Response> {
  const rule = ruleOf(services, call, param(call, "id"));
  const { users, teams } = services.tagProtections.namesOf(rule);
  return tags(services, call, rule, {
    values: { name_pattern: rule.pattern, users: users.join(", "), teams: teams.join(", ") },
  });
}

const typed = (form: Form) => ({
  name_pattern: form.text("name_pattern").slice(0, 1000),
  users: form.text("users").slice(0, 10_000),
  teams: form.text("teams").slice(0, 10_000),
});

async function save(services: WebServices, call: Call, rule: TagRule | undefined): Promise<Response> {
  const seen = seenRepo(call);
  const values = typed(await readForm(call));
  const edit = { pattern: values.name_pattern, users: namesIn(values.users), teams: namesIn(values.teams) };
  try {
    if (rule) services.tagProtections.edit(seen, rule.id, edit);
    else services.tagProtections.create(seen, edit);
  } catch (error) {
    const names = { name_pattern: "name_pattern", whitelist_usernames: "users", whitelist_teams: "teams" } as const;
    return tags(services, call, rule, { values, errors: formErrors<TagField>(call, error, names) });
  }
  const text = wordsFor(call, protectionsWords)("ruleSaved", { name: values.name_pattern });
  return redirectAfterPost(services, call, homeOf(seen, PAGE), { kind: "success", text });
}

async function remove(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const rule = ruleOf(services, call, (await readForm(call)).text("id"));
  const back = homeOf(seen, PAGE);
  try {
    services.tagProtections.remove(seen, rule.id);
  } catch (error) {
    return redirectAfterPost(services, call, back, { kind: "error", text: refusalOf(call, error) });
  }
  const text = wordsFor(call, protectionsWords)("ruleDeleted", { name: rule.pattern });
  return redirectAfterPost(services, call, back, { kind: "success", text });
}
