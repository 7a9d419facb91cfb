import { type Call, type Route, signedIn } from "../../src/http/route.ts";
import { ownAccount } from "../../src/identity/access.ts";
import { gitignoreNames } from "../../src/repos/templates/gitignore.ts";
import { licenseIds } from "../../src/repos/templates/licenses.ts";
import type { Repo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import type { FormErrors } from "../components/form.tsx";
import { type Form, formErrors, readForm } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { repoHref } from "../links.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { type NewRepoField, NewRepoPage } from "./new.tsx";
import { reposWords } from "./words/index.ts";

const SERVICE_FIELDS: Readonly<Record<string, NewRepoField>> = {
  name: "repo_name",
  username: "repo_name",
  gitignores: "gitignores",
  license: "license",
  default_branch: "default_branch",
  description: "description",
  issue_labels: "issue_labels",
  object_format_name: "object_format_name",
};

/** Creates a repository from a form. */
export function createRepoPages(services: WebServices): Route[] {
  const page = { surface: "page", access: ownAccount, path: "/repo/create" } as const;
  return [
    { ...page, method: "GET", handle: (call) => newPage(services, call, undefined) },
    { ...page, method: "POST", handle: (call) => create(services, call) },
  ];
}

function newPage(
  services: WebServices,
  call: Call,
  refused: { form: Form; errors: FormErrors<NewRepoField> } | undefined,
): Response {
  const user = signedIn(call);
  const given = refused?.form;
  const text = (name: string) => given?.text(name).slice(0, 2048) ?? "";
  const creatable = services.organizations.creatableFor(user);
  const asked = (call.query.get("org") ?? "").toLowerCase();
  const owner = given
    ? creatable.find(({ id }) => id === given.number("uid"))
    : creatable.find(({ login }) => login.toLowerCase() === asked);
  const values = {
    uid: String((owner ?? user).id),
    repo_name: given ? text("repo_name") : (call.query.get("name") ?? "").slice(0, 100),
    description: text("description"),
    default_branch: text("default_branch") || services.config["repository.default_branch"],
    gitignores: text("gitignores"),
    license: text("license"),
    issue_labels: text("issue_labels"),
    object_format_name: text("object_format_name") || "sha1",
  };
  const view = (
    <NewRepoPage
      shell={shellOf(services, call)}
      form={{ values, ...(refused ? { errors: refused.errors } : {}) }}
      owners={[user, ...creatable].map((owner) => ({ value: String(owner.id), label: owner.login }))}
      isPrivate={given ? given.checked("private") : services.config["repository.force_private"]}
      autoInit={given ? startsWithCommit(given) : false}
      gitignores={gitignoreNames}
      licenses={licenseIds}
      labelSets={services.labelSets.names()}
    />
  );
  return show(call, view, { status: refused ? 422 : 200 });
}

/** A chosen licence or .gitignore requires an initial commit to hold it. */
function startsWithCommit(form: Form): boolean {
  return form.checked("auto_init") || form.text("license") !== "" || form.text("gitignores") !== "";
}

async function create(services: WebServices, call: Call): Promise<Response> {
  const user = signedIn(call);
  const form = await readForm(call);
  const branch = form.text("default_branch");
  const uid = form.has("uid") ? form.number("uid") : user.id;
  const owner = [user, ...services.organizations.creatableFor(user)].find(({ id }) => id === uid);
  if (!owner) return newPage(services, call, { form, errors: { uid: wordsFor(call, reposWords)("notYourOwner") } });
  let repo: Repo;
  try {
    repo = await services.creator.create(call.principal, owner, {
      name: form.text("repo_name"),
      description: form.text("description"),
      isPrivate: form.checked("private"),
      isTemplate: form.checked("repo_template"),
      defaultBranch: branch,
      autoInit: startsWithCommit(form),
      readme: form.text("readme"),
      gitignores: form.text("gitignores"),
      license: form.text("license"),
      labels: form.text("issue_labels"),
      objectFormat: form.text("object_format_name"),
    });
  } catch (error) {
    return newPage(services, call, { form, errors: formErrors<NewRepoField>(call, error, SERVICE_FIELDS) });
  }
  return redirectAfterPost(services, call, repoHref({ owner: owner.login, name: repo.name }));
}
