import type { Call, Route } from "../../src/http/route.ts";
import { param } from "../../src/http/route.ts";
import { Failure, NotFound } from "../../src/kernel/errors.ts";
import { changeRules, readRules } from "../../src/protections/access.ts";
import { type BranchRule, defaultRuleSettings, ruleLists } from "../../src/protections/branches/types.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import type { FormErrors, FormState } from "../components/form.tsx";
import { formErrors, readForm, refusalOf } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { BranchSettingsPage, type LimitField, type RuleItem } from "./branches.tsx";
import { BranchRulePage } from "./rule.tsx";
import { editOf, type RuleFormValues, type RuleText, typedValues, valuesOf } from "./rule-form.ts";
import { protectionsWords } from "./words/index.ts";

/** Maximum branches in the selector. */
const MAX_BRANCHES = 1_000;

const PAGE = "settings/branches";
const EDIT = `${PAGE}/edit`;

/** Form field names by the service's field names. */
const FIELDS: Readonly<Record<string, RuleText>> = {
  rule_name: "rule_name",
  protected_file_patterns: "protected_file_patterns",
  unprotected_file_patterns: "unprotected_file_patterns",
  status_check_contexts: "status_check_contexts",
  required_approvals: "required_approvals",
  push_usernames: "push_users",
  push_teams: "push_teams",
  forcePush_usernames: "force_push_users",
  forcePush_teams: "force_push_teams",
  merge_usernames: "merge_users",
  merge_teams: "merge_teams",
  bypass_usernames: "bypass_users",
  bypass_teams: "bypass_teams",
  approvals_usernames: "approvals_users",
  approvals_teams: "approvals_teams",
};

/** The default branch and branch protection rules (contract web.md 1.11). */
export function branchRulePages(services: WebServices): Route[] {
  const at = (path: string) => ({ surface: "page", path: `/:owner/:repo/${path}` }) as const;
  return [
    { ...at(PAGE), method: "GET", access: readRules, handle: (call) => branches(services, call, undefined) },
    { ...at(PAGE), method: "POST", access: readRules, handle: (call) => setDefaultBranch(services, call) },
    { ...at(EDIT), method: "GET", access: readRules, handle: (call) => ruleForm(services, call) },
    { ...at(EDIT), method: "POST", access: changeRules, handle: (call) => save(services, call) },
    { ...at(`${PAGE}/pushes`), method: "POST", access: changeRules, handle: (call) => setLimits(services, call) },
    { ...at(`${PAGE}/priority`), method: "POST", access: changeRules, handle: (call) => reorder(services, call) },
    { ...at(`${PAGE}/:id/delete`), method: "POST", access: changeRules, handle: (call) => remove(services, call) },
  ];
}

async function branches(
  services: WebServices,
  call: Call,
  error: string | undefined,
  typed?: FormState<LimitField>,
): Promise<Response> {
  const seen = seenRepo(call);
  const limits = services.pushLimits.get(seen);
  const names = services.refLists.branchNames(seen, "", MAX_BRANCHES);
  const view = (
    <BranchSettingsPage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      branches={names.includes(seen.repo.defaultBranch) ? names : [seen.repo.defaultBranch, ...names]}
      rules={services.branchProtections.list(seen).map(ruleItem)}
      form={error === undefined ? {} : { errors: { branch: error } }}
      limits={
        typed ?? {
          values: {
            max_file_mib: limits.maxFileBytes === 0 ? "" : String(limits.maxFileBytes / 2 ** 20),
            refuse_secrets: limits.refusesSecrets ? "on" : "",
            patterns: limits.patterns.join("\n"),
          },
        }
      }
    />
  );
  return show(call, view, { status: error === undefined && !typed ? 200 : 422 });
}

function ruleItem({ id, name, settings }: BranchRule): RuleItem {
  return {
    id,
    name,
    push: !settings.enablePush ? "nobody" : settings.enablePushWhitelist ? "listed" : "writers",
    allowsForce: settings.enablePush && settings.enableForcePush,
    needsSignatures: settings.requireSignedCommits,
    needsChecks: settings.enableStatusCheck,
    approvals: settings.requiredApprovals,
  };
}

async function setDefaultBranch(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const form = await readForm(call);
  if (form.text("action") !== "default_branch") throw new NotFound();
  const branch = form.text("branch");
  const t = wordsFor(call, protectionsWords);
  if (!services.revisions.branch(seen, branch)) return branches(services, call, t("noSuchBranch"));
  services.repos.edit(seen, { defaultBranch: branch });
  const flash = { kind: "success", text: t("saved"), form: "default-branch" } as const;
  return redirectAfterPost(services, call, homeOf(seen, PAGE), flash);
}

async function setLimits(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const form = await readForm(call);
  const values = {
    max_file_mib: form.text("max_file_mib").slice(0, 20),
    refuse_secrets: form.checked("refuse_secrets") ? "on" : "",
    patterns: form.text("patterns").slice(0, 50_000),
  };
  try {
    await services.pushLimits.set(seen, {
      maxFileBytes: Math.round(Number(values.max_file_mib === "" ? 0 : values.max_file_mib) * 2 ** 20),
      refusesSecrets: values.refuse_secrets === "on",
      patterns: values.patterns.split("\n"),
    });
  } catch (error) {
    const names = { max_file_bytes: "max_file_mib", patterns: "patterns" } as const;
    return branches(services, call, undefined, { values, errors: formErrors<LimitField>(call, error, names) });
  }
  const flash = { kind: "success", text: wordsFor(call, protectionsWords)("saved"), form: "pushes" } as const;
  return redirectAfterPost(services, call, homeOf(seen, PAGE), flash);
}

const noNames = () => {
  const none = () => Object.fromEntries(ruleLists.map((list) => [list, [] as string[]]));
  return { users: none(), teams: none() } as Parameters<typeof valuesOf>[1];
};

/** The rule named in the URL; undefined: a new one is being created. @throws NotFound */
function namedRule({ branchProtections }: WebServices, call: Call): BranchRule | undefined {
  const name = call.query.get("rule_name") ?? "";
  return name === "" ? undefined : branchProtections.get(seenRepo(call), name);
}

async function ruleForm(services: WebServices, call: Call): Promise<Response> {
  const rule = namedRule(services, call);
  const values = rule
    ? valuesOf(rule, services.branchProtections.namesOf(rule))
    : valuesOf({ name: "", settings: defaultRuleSettings }, noNames());
  return rulePage(services, call, rule, values, undefined);
}

async function rulePage(
  services: WebServices,
  call: Call,
  rule: BranchRule | undefined,
  values: RuleFormValues,
  errors: FormErrors<RuleText> | undefined,
): Promise<Response> {
  const seen = seenRepo(call);
  const view = (
    <BranchRulePage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      rule={rule?.name}
      values={values}
      hasTeams={seen.owner.kind === "organization"}
      {...(errors ? { errors } : {})}
    />
  );
  return show(call, view, { status: errors ? 422 : 200 });
}

async function save(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const rule = namedRule(services, call);
  const values = typedValues(await readForm(call));
  const { branchProtections } = services;
  try {
    const name = rule?.name ?? values.texts.rule_name;
    if (rule) branchProtections.edit(seen, name, editOf(values));
    else branchProtections.create(seen, name, editOf(values));
    const text = wordsFor(call, protectionsWords)("ruleSaved", { name });
    return redirectAfterPost(services, call, homeOf(seen, PAGE), { kind: "success", text });
  } catch (error) {
    if (error instanceof NotFound) throw error;
    const names = error instanceof Failure && isAboutName(error) ? { ...FIELDS, "": "rule_name" as const } : FIELDS;
    const errors = formErrors<RuleText>(call, error, names);
    return rulePage(services, call, rule, values, isAboutName(error) ? { rule_name: errors.form ?? "" } : errors);
  }
}

function isAboutName(error: unknown): boolean {
  return error instanceof Failure && ["protection.name-missing", "protection.exists"].includes(error.code);
}

async function reorder(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const ids = (await readForm(call)).text("ids").slice(0, 10_000).split(",").map(Number);
  services.branchProtections.reorder(
    seen,
    ids.filter((id) => Number.isSafeInteger(id) && id > 0),
  );
  return redirectAfterPost(services, call, homeOf(seen, PAGE));
}

async function remove(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const id = Number(param(call, "id"));
  const rule = services.branchProtections.list(seen).find((one) => one.id === id);
  if (!rule) throw new NotFound();
  const back = homeOf(seen, PAGE);
  try {
    services.branchProtections.remove(seen, rule.name);
  } catch (error) {
    return redirectAfterPost(services, call, back, { kind: "error", text: refusalOf(call, error) });
  }
  const text = wordsFor(call, protectionsWords)("ruleDeleted", { name: rule.name });
  return redirectAfterPost(services, call, back, { kind: "success", text });
}
