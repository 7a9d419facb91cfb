import type { User } from "../../src/access/user.ts";
import { forksRepo, syncsFork } from "../../src/forks/access.ts";
import { type Call, type Route, signedIn } from "../../src/http/route.ts";
import { readsCode } from "../../src/repos/access.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { Repo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import type { FormErrors } from "../components/form.tsx";
import { type Form, formErrors, readForm, refusalOf } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { repoHref } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { localPath } from "../redirect-target.ts";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { repoItem } from "../repos/items.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { type ForkField, ForkPage } from "./form.tsx";
import { ForksPage } from "./list.tsx";
import { forksWords } from "./words/index.ts";

const PER_PAGE = 40;
/** Branches the form offers individually; others are only forked together with all. */
const MAX_BRANCHES = 100;

const SERVICE_FIELDS: Readonly<Record<string, ForkField>> = {
  name: "repo_name",
  description: "description",
  branch: "fork_single_branch",
};

/** A repository's forks, the form that creates one, and syncing with the parent (contract web.md 1.5 and 1.6). */
export function forkPages(services: WebServices): Route[] {
  const page = { surface: "page" } as const;
  const fork = { ...page, access: forksRepo, path: "/:owner/:repo/fork" };
  return [
    {
      ...page,
      method: "GET",
      access: readsCode,
      path: "/:owner/:repo/forks",
      handle: (call) => list(services, call),
    },
    { ...fork, method: "GET", handle: (call) => form(services, call, undefined) },
    { ...fork, method: "POST", handle: (call) => create(services, call) },
    {
      ...page,
      method: "POST",
      access: syncsFork,
      path: "/:owner/:repo/branches/merge-upstream",
      handle: (call) => sync(services, call),
    },
  ];
}

async function list(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const slice = pageOf(call, PER_PAGE);
  const { items, total } = services.forks.list(seen, slice);
  const pages = { page: slice.page, perPage: PER_PAGE, total, href: homeOf(seen, "forks") };
  const repo = await repoFrame(services, seen);
  return show(
    call,
    <ForksPage shell={shellOf(services, call)} repo={repo} forks={items.map(repoItem)} pages={pages} />,
  );
}

async function form(
  services: WebServices,
  call: Call,
  refused: { readonly given: Form; readonly errors: FormErrors<ForkField> } | undefined,
): Promise<Response> {
  const seen = seenRepo(call);
  const user = signedIn(call);
  const text = (name: ForkField, otherwise: string) => refused?.given.text(name).slice(0, 2048) ?? otherwise;
  const fork = services.forks.forkBy(seen, user);
  const { items: branches } = services.refs.page(seen.repo.id, "refs/heads/", "", {
    page: 1,
    limit: MAX_BRANCHES,
    offset: 0,
  });
  const view = (
    <ForkPage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      form={{
        values: {
          uid: text("uid", String(user.id)),
          repo_name: text("repo_name", seen.repo.name),
          description: text("description", seen.repo.description),
          fork_single_branch: text("fork_single_branch", ""),
        },
        ...(refused ? { errors: refused.errors } : {}),
      }}
      owners={ownersFor(services, user).map(({ id, login }) => ({ value: String(id), label: login }))}
      branches={branches.map(({ name }) => name.slice("refs/heads/".length))}
      existing={fork && { owner: fork.owner.login, name: fork.repo.name }}
    />
  );
  return show(call, view, { status: refused ? 422 : 200 });
}

async function create(services: WebServices, call: Call): Promise<Response> {
  const user = signedIn(call);
  const given = await readForm(call);
  const uid = given.has("uid") ? given.number("uid") : user.id;
  const owner = ownersFor(services, user).find(({ id }) => id === uid);
  if (!owner) return form(services, call, { given, errors: { uid: wordsFor(call, forksWords)("notYourOwner") } });
  let repo: Repo;
  try {
    repo = await services.forks.create(seenRepo(call), {
      owner,
      name: given.text("repo_name"),
      description: given.text("description"),
      branch: given.text("fork_single_branch") || undefined,
    });
  } catch (error) {
    return form(services, call, { given, errors: formErrors<ForkField>(call, error, SERVICE_FIELDS) });
  }
  return redirectAfterPost(services, call, repoHref({ owner: owner.login, name: repo.name }));
}

/** Possible owners of a fork: the account itself, or an organization. */
function ownersFor({ organizations }: WebServices, user: User): User[] {
  return [user, ...organizations.creatableFor(user)];
}

/** Syncs the default branch, from the button beside the name. */
async function sync(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const form = await readForm(call);
  const returnTo = localPath(form.text("redirect_to")) ?? homeOf(seen);
  const branch = form.text("branch") || seen.repo.defaultBranch;
  try {
    const type = await services.forkSync.merge(seen, branch, false);
    const base = services.forks.baseOf(seen);
    const repository = base ? `${base.owner.login}/${base.repo.name}` : "";
    const text = wordsFor(call, forksWords)(`sync-${type}`, { branch, repository });
    return redirectAfterPost(services, call, returnTo, { kind: "success", text });
  } catch (error) {
    return redirectAfterPost(services, call, returnTo, { kind: "error", text: refusalOf(call, error) });
  }
}
