import type { User } from "../../src/access/user.ts";
import { forksRepo } from "../../src/forks/access.ts";
import type { TemplateItem } from "../../src/generation/service.ts";
import { redirect } from "../../src/http/respond.ts";
import { type Call, type Route, signedIn } from "../../src/http/route.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { Repo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import type { FormErrors } from "../components/form.tsx";
import { type Form, formErrors, readForm } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { repoHref } from "../links.ts";
import type { CopyField } from "../repos/copy-form.tsx";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { GeneratePage } from "./form.tsx";
import { generationWords } from "./words/index.ts";

const SERVICE_FIELDS: Readonly<Record<string, CopyField>> = {
  name: "repo_name",
  username: "repo_name",
  description: "description",
};

/** The form that creates a repository from a template (contract web.md 1.5). */
export function generationPages(services: WebServices): Route[] {
  const page = { surface: "page", access: forksRepo, path: "/:owner/:repo/generate" } as const;
  return [
    { ...page, method: "GET", handle: (call) => form(services, call, undefined) },
    { ...page, method: "POST", handle: (call) => generate(services, call) },
  ];
}

async function form(
  services: WebServices,
  call: Call,
  refused: { readonly given: Form; readonly errors: FormErrors<CopyField> } | undefined,
): Promise<Response> {
  const seen = seenRepo(call);
  if (!seen.repo.isTemplate) return redirect(homeOf(seen));
  const user = signedIn(call);
  const { given } = refused ?? {};
  const text = (name: CopyField, otherwise: string) => given?.text(name).slice(0, 2048) ?? otherwise;
  const view = (
    <GeneratePage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      form={{
        values: {
          uid: text("uid", String(user.id)),
          repo_name: text("repo_name", ""),
          description: text("description", ""),
        },
        ...(refused ? { errors: refused.errors } : {}),
      }}
      owners={ownersFor(services, user).map(({ id, login }) => ({ value: String(id), label: login }))}
      isPrivate={given ? given.checked("private") : services.config["repository.force_private"]}
      takesFiles={given ? given.checked("git_content") : true}
      items={services.generation.items.map((item) => ({ item, isChosen: given?.checked(item) ?? false }))}
    />
  );
  return show(call, view, { status: refused ? 422 : 200 });
}

async function generate(services: WebServices, call: Call): Promise<Response> {
  const user = signedIn(call);
  const given = await readForm(call);
  const refuse = (errors: FormErrors<CopyField>) => form(services, call, { given, errors });
  const uid = given.has("uid") ? given.number("uid") : user.id;
  const owner = ownersFor(services, user).find(({ id }) => id === uid);
  if (!owner) return refuse({ uid: wordsFor(call, generationWords)("notYourOwner") });
  const items: TemplateItem[] = services.generation.items.filter((item) => given.checked(item));
  let repo: Repo;
  try {
    repo = await services.generation.generate(seenRepo(call), {
      owner,
      name: given.text("repo_name"),
      description: given.text("description"),
      isPrivate: given.checked("private"),
      defaultBranch: "",
      files: given.checked("git_content"),
      items,
    });
  } catch (error) {
    return refuse(formErrors<CopyField>(call, error, SERVICE_FIELDS));
  }
  return redirectAfterPost(services, call, repoHref({ owner: owner.login, name: repo.name }));
}

/** Possible owners: the account itself, or an organization. */
function ownersFor({ organizations }: WebServices, user: User): User[] {
  return [user, ...organizations.creatableFor(user)];
}
