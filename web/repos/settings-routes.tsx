import { atLeast } from "../../src/access/levels.ts";
import type { Flash } from "../../src/http/cookies.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { administersRepo } from "../../src/repos/access.ts";
import type { EditRepo } from "../../src/repos/service.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import { trustModels } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import type { FormErrors } from "../components/form.tsx";
import { detachFork } from "../forks/settings-routes.ts";
import { type Form, formErrors, readForm, someErrors } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { repoHref, userHref } from "../links.ts";
import { changeMirrors } from "../mirrors/settings-routes.tsx";
import { cancelTransfer, startTransfer } from "../transfers/settings-routes.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { deleteWiki } from "../wiki/settings-routes.tsx";
import { siteWords } from "../words/index.ts";
import { collaboratorPages } from "./collaborator-routes.tsx";
import { featuresEdit, featuresOf } from "./features.tsx";
import { homeOf, repoFrame } from "./frame.ts";
import { RepoGeneralSettingsPage } from "./settings.tsx";
import { reposWords } from "./words/index.ts";

type Field = "repo_name" | "description" | "website";

const saved = (text: string): Flash => ({ kind: "success", text });
/** A message shown beside the button of that form. */
const savedIn = (call: Call, form: string): Flash => ({ ...saved(wordsFor(call, reposWords)("saved")), form });

/** The settings of a repository. */
export function repoSettingsPages(services: WebServices): Route[] {
  const page = { surface: "page", access: administersRepo } as const;
  const at = (path: string) => ({ ...page, path: `/:owner/:repo/settings${path}` });
  return [
    { ...at(""), method: "GET", handle: (call) => general(services, call, undefined) },
    { ...at(""), method: "POST", handle: (call) => act(services, call) },
    ...collaboratorPages(services),
  ];
}

async function general(
  services: WebServices,
  call: Call,
  refused: { form: Form; errors: FormErrors<Field> } | undefined,
): Promise<Response> {
  const seen = seenRepo(call);
  const { repo, access } = seen;
  const form = refused?.form;
  const value = (name: string, present: string) => (form?.has(name) ? form.text(name).slice(0, 2048) : present);
  const view = (
    <RepoGeneralSettingsPage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      form={{
        values: {
          repo_name: form?.text("action") === "update" ? value("repo_name", repo.name) : repo.name,
          description: value("description", repo.description),
          website: value("website", repo.website),
        },
        ...(refused ? { errors: refused.errors } : {}),
      }}
      isTemplate={form?.text("action") === "update" ? form.checked("template") : repo.isTemplate}
      picture={{
        action: repoHref({ owner: seen.owner.login, name: repo.name }, "settings/avatar"),
        name: repo.name,
        ...(repo.avatar === "" ? {} : { avatarUrl: `/repo-avatars/${repo.avatar}` }),
      }}
      features={featuresOf(call)}
      trustModel={repo.settings.trustModel ?? "default"}
      isOwner={atLeast(access.level, "owner")}
      isFork={repo.forkOf !== undefined}
      hasWiki={services.wikis.isKept(seen)}
      binDays={services.config["repository.bin_days"]}
      offeredTo={services.transfers.pendingOf(call.principal, [seen]).get(repo.id)?.recipient.login}
    />
  );
  return show(call, view, { status: refused ? 422 : 200 });
}

/** Actions reserved for owners (contract web.md 1.11). */
const OWNERS_ACTIONS: ReadonlySet<string> = new Set(["convert", "convert_fork", "transfer", "delete", "delete-wiki"]);

async function act(services: WebServices, call: Call): Promise<Response> {
  const form = await readForm(call);
  if (OWNERS_ACTIONS.has(form.text("action")) && !atLeast(seenRepo(call).access.level, "owner")) throw new NotFound();
  const t = wordsFor(call, reposWords);
  const refuse = (errors: FormErrors<Field>) => general(services, call, { form, errors });
  switch (form.text("action")) {
    case "update":
      return update(services, call, form, refuse);
    case "visibility":
      return setVisibility(services, call, form, refuse);
    case "advanced":
      return edit(services, call, { settings: featuresEdit(form) }, savedIn(call, "features"), refuse);
    case "signing":
      return setTrustModel(services, call, form, refuse);
    case "archive":
      return edit(services, call, { isArchived: true }, saved(t("wasArchived")), refuse);
    case "unarchive":
      return edit(services, call, { isArchived: false }, saved(t("wasUnarchived")), refuse);
    case "transfer":
      return startTransfer(services, call, form, (error) => refuse({ form: error }));
    case "cancel_transfer":
      return cancelTransfer(services, call);
    case "convert_fork":
      return detachFork(services, call, form, (error) => refuse({ form: error }));
    case "delete-wiki":
      return deleteWiki(services, call, form, (error) => refuse({ form: error }));
    case "delete":
      return remove(services, call, form, refuse);
    default: {
      const changed = await changeMirrors(services, call, form);
      if (!changed) throw new NotFound();
      return changed;
    }
  }
}

type Refuse = (errors: FormErrors<Field>) => Promise<Response>;

async function update(services: WebServices, call: Call, form: Form, refuse: Refuse): Promise<Response> {
  const description = form.text("description");
  const website = form.text("website");
  const wrong = someErrors<Field>({
    repo_name: form.text("repo_name") === "" ? wordsFor(call, siteWords)("value.required") : undefined,
  });
  if (wrong) return refuse(wrong);
  const requested: EditRepo = {
    name: form.text("repo_name"),
    ...(form.has("description") ? { description } : {}),
    ...(form.has("website") ? { website } : {}),
    isTemplate: form.checked("template"),
  };
  return edit(services, call, requested, savedIn(call, "general"), refuse);
}

/** Any other value selects the site's default. */
function setTrustModel(services: WebServices, call: Call, form: Form, refuse: Refuse): Promise<Response> {
  const trustModel = trustModels.find((known) => known === form.text("trust_model")) ?? "default";
  return edit(services, call, { settings: { trustModel } }, savedIn(call, "signatures"), refuse);
}

async function setVisibility(services: WebServices, call: Call, form: Form, refuse: Refuse): Promise<Response> {
  const { owner, repo } = seenRepo(call);
  const isPrivate = form.checked("private");
  const t = wordsFor(call, reposWords);
  const name = `${owner.login}/${repo.name}`;
  if (form.text("confirm_repo_name") !== name) return refuse({ form: t("visibilityUnconfirmed", { name }) });
  const text = isPrivate ? t("nowPrivate") : t("nowPublic");
  return edit(services, call, { isPrivate }, saved(text), refuse);
}

async function edit(
  services: WebServices,
  call: Call,
  requested: EditRepo,
  done: Flash,
  refuse: Refuse,
): Promise<Response> {
  const seen = seenRepo(call);
  try {
    const repo = services.repos.edit(seen, requested);
    return redirectAfterPost(services, call, homeOf({ ...seen, repo }, "settings"), done);
  } catch (error) {
    return refuse(
      formErrors<Field>(call, error, {
        name: "repo_name",
        username: "repo_name",
        description: "description",
        website: "website",
      }),
    );
  }
}

async function remove(services: WebServices, call: Call, form: Form, refuse: Refuse): Promise<Response> {
  const seen = seenRepo(call);
  const t = wordsFor(call, reposWords);
  const name = `${seen.owner.login}/${seen.repo.name}`;
  // The dialog asks for the full name, as all others do; older forms and scripts send the short one.
  if (![seen.repo.name, name].includes(form.text("repo_name")))
    return refuse({ form: t("deleteUnconfirmed", { name }) });
  services.repoRemoval.remove(call.principal, seen.repo);
  return redirectAfterPost(services, call, userHref(seen.owner.login), saved(t("wasDeleted", { name })));
}
