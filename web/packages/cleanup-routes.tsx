import type { Access, Call, Route } from "../../src/http/route.ts";
import { idParam } from "../../src/http/route.ts";
import { ownAccount } from "../../src/identity/access.ts";
import { Failure, NotFound, ValidationFailed } from "../../src/kernel/errors.ts";
import { organizationOwner } from "../../src/organizations/access.ts";
import { seenOrganization } from "../../src/organizations/subject.ts";
import { versionPath } from "../../src/packages/addresses.ts";
import { type CleanupRule, type CleanupRuleValues, MAX_PATTERN } from "../../src/packages/cleanup-rule-types.ts";
import { isPackageType, type SeenPackages } from "../../src/packages/types.ts";
import type { WebServices } from "../area.ts";
import { type Form, formErrors, readForm, refusalText } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { placeProps, settingsPlaces } from "../settings-place.tsx";
import { redirectAfterPost, show } from "../visit.ts";
import { PreviewPage, type RuleForm, RulePage, RulesPage } from "./cleanup.tsx";
import { packagesWords } from "./words/index.ts";

const SHOWN = 200;
/** Below the settings of each place. */
const SUB = "packages";

/** Where rules are managed, and their owner. */
interface Place {
  readonly kind: "organization" | "account";
  readonly access: Access;
  login(call: Call): string | undefined;
}

const places: readonly Place[] = [
  { kind: "account", access: ownAccount, login: ({ principal }) => principal.user?.login },
  { kind: "organization", access: organizationOwner, login: (call) => seenOrganization(call).organization.login },
];

/** Rules that delete old package versions (contract packages.md 6, 8). */
export function cleanupPages(services: WebServices): Route[] {
  return places.flatMap((place) => {
    const page = { surface: "page", access: place.access } as const;
    const path = `${settingsPlaces[place.kind].path}/${SUB}`;
    return [
      { ...page, method: "GET", path, handle: (call) => list(services, place, call) },
      { ...page, method: "GET", path: `${path}/rules/add`, handle: (call) => showRule(services, place, call, "add") },
      { ...page, method: "POST", path: `${path}/rules/add`, handle: (call) => create(services, place, call) },
      {
        ...page,
        method: "GET",
        path: `${path}/rules/:id`,
        handle: (call) => showRule(services, place, call, idParam(call, "id")),
      },
      { ...page, method: "POST", path: `${path}/rules/:id`, handle: (call) => change(services, place, call) },
      { ...page, method: "GET", path: `${path}/rules/:id/preview`, handle: (call) => preview(services, place, call) },
    ] satisfies Route[];
  });
}

/** @throws NotFound */
function seenOf({ packagesAccess }: WebServices, place: Place, call: Call): SeenPackages {
  const login = place.login(call);
  const seen = login === undefined ? undefined : packagesAccess.see(call.principal, login);
  if (!seen) throw new NotFound();
  return seen;
}

const baseOf = ({ kind }: Place, call: Call) => `${settingsPlaces[kind].base(call)}/${SUB}`;

async function list(services: WebServices, place: Place, call: Call): Promise<Response> {
  const rules = services.packageCleanupRules.list(seenOf(services, place, call));
  const chef = place.kind === "account" ? { madeAt: services.chefKeys.madeAt(call.principal) } : undefined;
  const props = await placeProps(services, place.kind, call, SUB);
  return show(call, <RulesPage place={props} rules={rules} chef={chef} />);
}

async function showRule(
  services: WebServices,
  place: Place,
  call: Call,
  id: number | "add",
  typed?: RuleForm,
): Promise<Response> {
  const seen = seenOf(services, place, call);
  const form = formOf(id === "add" ? newRule : services.packageCleanupRules.get(seen, id));
  const props = await placeProps(services, place.kind, call, SUB);
  return show(call, <RulePage place={props} id={id} form={typed ?? form} />, { status: typed?.errors ? 422 : 200 });
}

async function create(services: WebServices, place: Place, call: Call): Promise<Response> {
  const seen = seenOf(services, place, call);
  const form = await readForm(call);
  try {
    const { id } = await services.packageCleanupRules.create(seen, valuesOf(form));
    return done(services, place, call, `/rules/${id}`, "saved");
  } catch (error) {
    return showRule(services, place, call, "add", refused(call, form, error));
  }
}

/** `action` is `remove` or `save`. */
async function change(services: WebServices, place: Place, call: Call): Promise<Response> {
  const { packageCleanupRules } = services;
  const seen = seenOf(services, place, call);
  const id = idParam(call, "id");
  const form = await readForm(call);
  if (form.text("action") === "remove") {
    packageCleanupRules.delete(seen, id);
    return done(services, place, call, "", "ruleRemoved");
  }
  try {
    await packageCleanupRules.edit(seen, id, valuesOf(form));
    return done(services, place, call, `/rules/${id}`, "saved");
  } catch (error) {
    return showRule(services, place, call, id, refused(call, form, error));
  }
}

async function preview(services: WebServices, place: Place, call: Call): Promise<Response> {
  const seen = seenOf(services, place, call);
  const id = idParam(call, "id");
  const { isMore, problem, versions } = await services.packageCleanupRules
    .preview(seen, id, SHOWN)
    .then((found) => ({ ...found, problem: undefined }))
    .catch((error) => {
      if (!(error instanceof ValidationFailed)) throw error;
      return { versions: [], isMore: false, problem: refusalText(call, error) };
    });
  const items = versions.map((version) => ({
    name: version.package.name,
    version: version.version,
    href: `/${versionPath(seen.owner.login, version)}`,
    at: version.createdAt,
  }));
  const props = await placeProps(services, place.kind, call, SUB);
  return show(call, <PreviewPage place={props} id={id} items={items} isMore={isMore} problem={problem} />);
}

function done(services: WebServices, place: Place, call: Call, path: string, said: "saved" | "ruleRemoved"): Response {
  const text = wordsFor(call, packagesWords)(said);
  return redirectAfterPost(services, call, baseOf(place, call) + path, { kind: "success", text });
}

const newRule: CleanupRuleValues = {
  isEnabled: true,
  type: "generic",
  keepCount: 5,
  keepPattern: "",
  removeDays: 90,
  removePattern: "",
  matchFullName: false,
};

function formOf(rule: CleanupRule | CleanupRuleValues): RuleForm {
  return {
    values: {
      type: rule.type,
      keep_count: String(rule.keepCount),
      keep_pattern: rule.keepPattern,
      remove_days: String(rule.removeDays),
      remove_pattern: rule.removePattern,
    },
    isEnabled: rule.isEnabled,
    matchFullName: rule.matchFullName,
  };
}

/** @throws ValidationFailed */
function valuesOf(form: Form): CleanupRuleValues {
  const type = form.text("type");
  if (!isPackageType(type))
    throw new ValidationFailed("packages.cleanup-bad-value", { field: "type", params: { name: "Type" } });
  return {
    type,
    isEnabled: form.checked("enabled"),
    // A value that is not a number is outside the allowed range.
    keepCount: form.number("keep_count") ?? -1,
    keepPattern: form.text("keep_pattern"),
    removeDays: form.number("remove_days") ?? -1,
    removePattern: form.text("remove_pattern"),
    matchFullName: form.checked("match_full_name"),
  };
}

/** The typed values, with errors beside their fields. */
function refused(call: Call, form: Form, error: unknown): RuleForm {
  if (!(error instanceof Failure) || error.status === 403) throw error;
  const fields = {
    type: "type",
    keep_count: "keep_count",
    keep_pattern: "keep_pattern",
    remove_days: "remove_days",
    remove_pattern: "remove_pattern",
  } as const;
  return {
    values: {
      type: form.text("type").slice(0, 50),
      keep_count: form.text("keep_count").slice(0, 50),
      keep_pattern: form.text("keep_pattern").slice(0, MAX_PATTERN),
      remove_days: form.text("remove_days").slice(0, 50),
      remove_pattern: form.text("remove_pattern").slice(0, MAX_PATTERN),
    },
    isEnabled: form.checked("enabled"),
    matchFullName: form.checked("match_full_name"),
    errors: formErrors(call, error, fields),
  };
}
