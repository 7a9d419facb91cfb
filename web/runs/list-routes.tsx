import { writesRuns } from "../../src/actions/access.ts";
import { Status } from "../../src/actions/runs/statuses.ts";
import type { RunFilter } from "../../src/actions/runs/types.ts";
import type { DispatchInput, WorkflowFile } from "../../src/actions/workflows/service.ts";
import { BRANCHES, TAGS } from "../../src/git/refs/names.ts";
import type { Call } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { administersRepo } from "../../src/repos/access.ts";
import { mayUse, seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import type { ListFilter, ListState } from "../components/list-bar.tsx";
import { readForm } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { refHref, withQuery } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { localPath } from "../redirect-target.ts";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { shellOf, show, showPart } from "../visit.ts";
import { done } from "./answers.ts";
import { DispatchInputs, type DispatchProps, INPUT_PREFIX } from "./dispatch.tsx";
import { RunListPage } from "./list.tsx";
import { statusWord } from "./look.tsx";
import { itemsOf, peopleOf, workflowHref } from "./shown.ts";
import { runsWords } from "./words/index.ts";

const PER_PAGE = 30;
/** Maximum branches and people to choose from. */
const MAX_CHOICES = 50;

export async function list(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  if (seen.repo.isEmpty) throw new NotFound();
  const { commit, branch, workflows } = await services.actionsWorkflows.list(seen);
  const workflow = call.query.get("workflow") || undefined;
  const filter = filterOf(call);
  const paging = pageOf(call, PER_PAGE);
  const { items, total } = services.actionsRunLists.page(seen, filter, paging);
  const one = workflows.find(({ id }) => id === workflow);
  const base = homeOf(seen, "actions");
  const fileHref = (path: string) =>
    refHref({ owner: seen.owner.login, name: seen.repo.name }, "src", { kind: "branch", name: branch }, path);
  const view = (
    <RunListPage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      workflows={workflows.map(({ id, isEnabled, name, path, problem }) => ({
        id,
        name,
        href: fileHref(path),
        isEnabled,
        problem,
      }))}
      workflow={workflow}
      states={statesOf(call, base)}
      filters={filtersOf(services, seen, call, base)}
      missingLabels={services.actionsRunHints.missingLabels(seen)}
      runs={itemsOf(services, seen, items)}
      pages={{ page: paging.page, perPage: PER_PAGE, total, href: hrefWith(call, base, {}) }}
      dispatch={commit === undefined || !one ? undefined : await dispatchOf(services, seen, one, branch)}
      maySwitch={mayUse(administersRepo, seen)}
      hasFilters={workflow !== undefined || ["actor", "status", "branch"].some((name) => call.query.get(name))}
    />
  );
  return show(call, view);
}

function filterOf({ query }: Call): RunFilter {
  const status = Number(query.get("status") ?? "");
  const branch = query.get("branch") ?? "";
  const actor = /^\d{1,15}$/.test(query.get("actor") ?? "") ? Number(query.get("actor")) : undefined;
  const known = Object.values(Status).find((one) => one === status && one !== Status.unknown);
  return {
    workflow: query.get("workflow") || undefined,
    ref: branch === "" ? undefined : BRANCHES + branch,
    userId: actor || undefined,
    statuses: known === undefined ? undefined : [known],
  };
}

type Narrowing = "actor" | "branch" | "status";

/** The list with one filter changed, from its first page. */
function hrefWith({ query }: Call, base: string, changed: Partial<Record<Narrowing, string>>): string {
  const now = (name: string) => query.get(name) ?? undefined;
  const kept = { workflow: now("workflow"), actor: now("actor"), branch: now("branch"), status: now("status") };
  return withQuery(base, { ...kept, ...changed });
}

const shownStates = [Status.success, Status.failure, Status.running, Status.waiting, Status.blocked] as const;

function statesOf(call: Call, base: string): ListState[] {
  const t = wordsFor(call, runsWords);
  const current = call.query.get("status") ?? "";
  return [
    { label: t("all"), href: hrefWith(call, base, { status: "" }), current: current === "" },
    ...shownStates.map((status) => ({
      label: t(statusWord(status)),
      href: hrefWith(call, base, { status: String(status) }),
      current: current === String(status),
    })),
  ];
}

function filtersOf(services: WebServices, seen: SeenRepo, call: Call, base: string): ListFilter[] {
  const t = wordsFor(call, runsWords);
  const { actors, branches } = services.actionsRunHints.choices(seen, MAX_CHOICES);
  const person = peopleOf(services, actors);
  const narrow = (name: Narrowing, label: string, all: string, choices: readonly (readonly [string, string])[]) => ({
    label,
    choices: [["", all] as const, ...choices].map(([value, choice]) => ({
      label: choice,
      href: hrefWith(call, base, { [name]: value }),
      current: (call.query.get(name) ?? "") === value,
    })),
  });
  return [
    narrow(
      "actor",
      t("actor"),
      t("anyone"),
      actors.map((id) => [String(id), person(id).name] as const),
    ),
    narrow(
      "branch",
      t("branch"),
      t("anyBranch"),
      branches.map((name) => [name, name] as const),
    ),
  ];
}

/** The form that starts a workflow manually; undefined when it cannot be started that way, or not by the viewer. */
async function dispatchOf(
  services: WebServices,
  seen: SeenRepo,
  { id, isDispatchable, isEnabled }: WorkflowFile,
  branch: string,
): Promise<DispatchProps | undefined> {
  if (!isDispatchable || !isEnabled || !mayUse(writesRuns, seen)) return undefined;
  const { branches, tags } = await services.refFacts.choose(seen, "");
  return {
    base: homeOf(seen, "actions"),
    workflow: id,
    ref: branch,
    refs: [...branches, ...tags.map((name) => `${TAGS}${name}`)],
    inputs: await services.actionsWorkflows.forms(seen, id, branch),
  };
}

/** The fields of the form for another branch. */
export async function dispatchInputs(services: WebServices, call: Call): Promise<Response> {
  const { query } = call;
  const inputs = await services.actionsWorkflows.forms(
    seenRepo(call),
    query.get("workflow") ?? "",
    query.get("ref") ?? "",
  );
  return showPart(call, <DispatchInputs inputs={inputs} />);
}

/** Starts a workflow. An unchecked box is not sent, so a missing one means false. */
export async function dispatch(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const id = call.query.get("workflow") ?? "";
  const form = await readForm(call);
  const ref = form.text("ref");
  const declared = await services.actionsWorkflows.forms(seen, id, ref);
  const inputs = Object.fromEntries(declared.map((input) => [input.name, inputOf(input, form)]));
  const run = await services.actionsWorkflows.dispatch(seen, id, { ref, inputs });
  return done(services, call, homeOf(seen, `actions/runs/${run.id}`), "runStarted");
}

/** Clients may send inputs under their plain names. */
function inputOf({ name, type }: DispatchInput, form: Awaited<ReturnType<typeof readForm>>): string {
  const field = form.has(`${INPUT_PREFIX}${name}`) ? `${INPUT_PREFIX}${name}` : name;
  return type === "boolean" ? String(form.checked(field)) : form.exact(field);
}

export async function switchWorkflow(services: WebServices, call: Call, isEnabled: boolean): Promise<Response> {
  const seen = seenRepo(call);
  const id = call.query.get("workflow") ?? "";
  await services.actionsWorkflows.setEnabled(seen, id, isEnabled);
  return done(services, call, workflowHref(seen, id), isEnabled ? "workflowEnabled" : "workflowDisabled");
}

/** Approves everything that waits at a commit, from its pull request's page. */
export async function approveAll(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const form = await readForm(call);
  const commit = form.text("commit_id") || (call.query.get("commit_id") ?? "");
  for (const { id } of services.actionsRunHints.unapproved(seen, commit)) services.actionsRuns.approve(seen, id);
  return done(services, call, localPath(form.text("redirect_to")) ?? homeOf(seen, "actions"), "runApproved");
}
