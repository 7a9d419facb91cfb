import { createBranch, deleteBranch, deleteTag, readCode, renameBranch } from "../../src/content/access.ts";
import type { DatedBranch } from "../../src/content/branches/service.ts";
import { MAX_PATH_CHARACTERS } from "../../src/content/values.ts";
import { trimOf } from "../../src/git/text-ends.ts";
import { json } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { mayUse, seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { FormState } from "../components/form.tsx";
import { RefList } from "../components/ref-selector.tsx";
import { readForm, refusalOf } from "../form-data.ts";
import { subjectOf } from "../home/pushed-commits.ts";
import { wordsFor } from "../language.ts";
import { type RefKind, type RefName, refHref, withQuery } from "../links.ts";
import { pageOf, wordsOf } from "../list-query.ts";
import { personOf } from "../people.ts";
import { homeOf } from "../repos/frame.ts";
import { redirectAfterPost, shellOf, show, showPart } from "../visit.ts";
import { BranchesPage, type BranchItem, type DeletedItem, type TagItem, TagsPage } from "./branches.tsx";
import { placeOf } from "./place.ts";
import { shownOf } from "./signature.tsx";
import type { Sources } from "./sources.ts";
import { contentWords } from "./words/index.ts";

const BRANCHES_PER_PAGE = 20;
const TAGS_PER_PAGE = 50;
const MAX_DELETED = 10;
/** Maximum names in a list for the script. */
const MAX_NAMES = 20_000;
const KINDS: readonly RefKind[] = ["branch", "tag", "commit"];

/** The branches and tags of a repository. */
export function refPages(sources: Sources): Route[] {
  const read = { method: "GET", surface: "page", access: readCode } as const;
  const write = { method: "POST", surface: "page" } as const;
  const at = (sub: string) => `/:owner/:repo/${sub}`;
  return [
    { ...read, path: at("branches"), handle: (call) => branches(sources, call) },
    { ...read, path: at("branches/list"), handle: (call) => branchNames(sources, call) },
    { ...read, path: at("branches/choose"), handle: (call) => choose(sources, call) },
    { ...read, path: at("tags"), handle: (call) => tags(sources, call) },
    { ...read, path: at("tags/list"), handle: (call) => tagNames(sources, call) },
    ...KINDS.map(
      (kind): Route => ({
        ...write,
        access: createBranch,
        path: at(`branches/_new/${kind}/*`),
        handle: (call) => create(sources, call, kind),
      }),
    ),
    { ...write, access: renameBranch, path: at("branches/rename"), handle: (call) => rename(sources, call) },
    { ...write, access: deleteBranch, path: at("branches/delete"), handle: (call) => removeBranch(sources, call) },
    { ...write, access: createBranch, path: at("branches/restore"), handle: (call) => restoreBranch(sources, call) },
    { ...write, access: deleteTag, path: at("tags/delete"), handle: (call) => removeTag(sources, call) },
  ];
}

async function branches(
  sources: Sources,
  call: Call,
  refused?: { from: RefName; form: FormState<"new_branch_name"> },
): Promise<Response> {
  const { services } = sources;
  const seen = seenRepo(call);
  const { repo } = seen;
  if (repo.isEmpty) throw new NotFound();
  const query = wordsOf(call);
  const slice = pageOf(call, BRANCHES_PER_PAGE);
  const [others, main] = await Promise.all([
    services.branches.list(seen, slice, { part: query, without: repo.defaultBranch }),
    services.branches.default(seen),
  ]);
  const [frame, items, mainItems] = await Promise.all([
    sources.frame(seen),
    branchItems(sources, seen, others.items, true),
    branchItems(sources, seen, main ? [main] : [], false),
  ]);
  return show(
    call,
    <BranchesPage
      shell={shellOf(services, call)}
      repo={frame}
      branches={items}
      deleted={query === "" && slice.page === 1 ? deletedItems(sources, seen) : []}
      query={query}
      pages={{
        page: slice.page,
        perPage: BRANCHES_PER_PAGE,
        total: others.total,
        href: withQuery(homeOf(seen, "branches"), { q: query }),
      }}
      from={refused?.from ?? startOf(services, call, seen)}
      {...(refused ? { refused: refused.form } : {})}
      {...(mainItems[0] ? { defaultBranch: mainItems[0] } : {})}
    />,
    { status: refused ? 422 : 200 },
  );
}

/** The branch the visitor came from, where a new one starts. */
function startOf({ branches }: Sources["services"], call: Call, seen: SeenRepo): RefName {
  const from = call.query.get("from");
  const found = from === null ? undefined : branches.find(seen, from);
  return { kind: "branch", name: found?.name ?? seen.repo.defaultBranch };
}

async function branchItems(
  { services }: Sources,
  seen: SeenRepo,
  shown: readonly DatedBranch[],
  compared: boolean,
): Promise<BranchItem[]> {
  const { branches, commits } = services;
  const divergences = compared ? await branches.divergences(seen, shown) : [];
  const permissions = branches.permissionsOf(
    seen,
    shown.map(({ name }) => name),
  );
  return shown.map((branch, i) => {
    const counts = divergences[i];
    return {
      name: branch.name,
      sha: branch.commit,
      subject: subjectOf(commits.read(seen, branch.commit)?.commit.message ?? ""),
      at: branch.time * 1000,
      isProtected: permissions[i]?.isProtected ?? false,
      mayDelete: permissions[i]?.mayRemove ?? false,
      mayRename: permissions[i]?.mayRename ?? false,
      ...(counts ? { divergence: counts } : {}),
    };
  });
}

const branchNames = ({ services }: Sources, call: Call): Response =>
  json({ results: services.refLists.branchNames(seenRepo(call), "", MAX_NAMES) });

const tagNames = ({ services }: Sources, call: Call): Response =>
  json({ results: services.refLists.tagNames(seenRepo(call), MAX_NAMES) });

/** The names that match the input of the ref selector. */
async function choose(sources: Sources, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const text = (name: string) => (call.query.get(name) ?? "").slice(0, 4096);
  const kind = KINDS.find((known) => known === text("kind")) ?? "branch";
  const asked = text("page");
  const page = asked === "commits" || asked === "blame" ? asked : "src";
  const choices = await sources.facts.choose(seen, wordsOf(call));
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  const current = { kind, name: text("ref") };
  return showPart(call, <RefList repo={repo} current={current} choices={choices} page={page} path={text("path")} />);
}

async function tags(sources: Sources, call: Call): Promise<Response> {
  const { services } = sources;
  const seen = seenRepo(call);
  if (seen.repo.isEmpty) throw new NotFound();
  const query = wordsOf(call);
  const slice = pageOf(call, TAGS_PER_PAGE);
  const found = await services.tags.list(seen, slice, query);
  const mayDelete = services.tags.mayRemove(
    seen,
    found.items.map(({ name }) => name),
  );
  const objects = services.tags.signedObjects(seen, found.items);
  const signed = objects.filter((object) => object !== undefined);
  const people = services.commits.peopleBehind(
    seen.principal,
    signed.map(({ email }) => email.toLowerCase()),
  );
  const signatures = await shownOf(services, seen, signed, people);
  const items = found.items.map((tag, i): TagItem => {
    const signature = signatures.get(objects[i]?.oid ?? "");
    return {
      name: tag.name,
      sha: tag.target,
      at: tag.time * 1000,
      message: subjectOf(tag.message),
      mayDelete: mayDelete[i] ?? false,
      ...(signature ? { signature } : {}),
    };
  });
  return show(
    call,
    <TagsPage
      shell={shellOf(services, call)}
      repo={await sources.frame(seen)}
      tags={items}
      query={query}
      pages={{
        page: slice.page,
        perPage: TAGS_PER_PAGE,
        total: found.total,
        href: withQuery(homeOf(seen, "tags"), { q: query }),
      }}
    />,
  );
}

/** Creates a branch (or tag) at the ref in the URL, and goes there. */
async function create(sources: Sources, call: Call, kind: RefKind): Promise<Response> {
  const { services } = sources;
  const { seen, at, ref } = await services.revisions.settled(() => placeOf(services, call, "src", kind));
  const form = await readForm(call);
  const name = form.text("new_branch_name");
  const makesTag = form.checked("create_tag");
  const refuse = (text: string) =>
    makesTag
      ? redirectAfterPost(services, call, homeOf(seen, "tags"), { kind: "error", text })
      : branches(sources, call, {
          from: ref,
          form: { values: { new_branch_name: name.slice(0, 255) }, errors: { new_branch_name: text } },
        });
  try {
    if (makesTag) await services.tags.create(seen, { name, target: at.commit });
    else await services.branches.create(seen, { name, from: at.commit });
  } catch (error) {
    return refuse(refusalOf(call, error));
  }
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  const path = trimOf(form.text("current_path").slice(0, MAX_PATH_CHARACTERS), "/");
  return redirectAfterPost(services, call, refHref(repo, "src", { kind: makesTag ? "tag" : "branch", name }, path));
}

/** Runs a change of refs and returns to the list with a message about the outcome. */
async function changed(
  { services }: Sources,
  call: Call,
  list: "branches" | "tags",
  done: string,
  change: () => Promise<void>,
): Promise<Response> {
  const back = homeOf(seenRepo(call), list);
  try {
    await change();
  } catch (error) {
    return redirectAfterPost(services, call, back, { kind: "error", text: refusalOf(call, error) });
  }
  return redirectAfterPost(services, call, back, { kind: "success", text: done });
}

async function rename(sources: Sources, call: Call): Promise<Response> {
  const form = await readForm(call);
  const [from, to] = [form.text("from"), form.text("to")];
  return changed(sources, call, "branches", wordsFor(call, contentWords)("branchRenamed", { from, to }), () =>
    sources.services.branches.rename(seenRepo(call), from, to),
  );
}

async function removeBranch(sources: Sources, call: Call): Promise<Response> {
  const name = (await readForm(call)).text("name") || (call.query.get("name") ?? "");
  return changed(sources, call, "branches", wordsFor(call, contentWords)("branchDeleted", { name }), () =>
    sources.services.branches.remove(seenRepo(call), name),
  );
}

async function restoreBranch(sources: Sources, call: Call): Promise<Response> {
  const id = (await readForm(call)).number("branch_id") ?? Number(call.query.get("branch_id") ?? 0);
  return changed(sources, call, "branches", wordsFor(call, contentWords)("branchRestored"), async () => {
    await sources.services.branches.restore(seenRepo(call), id);
  });
}

/** Recently deleted branches, for users who may restore them. */
function deletedItems({ services }: Sources, seen: SeenRepo): DeletedItem[] {
  if (!mayUse(createBranch, seen)) return [];
  const deleted = services.branches.deleted(seen, MAX_DELETED);
  const people = services.identity.byIds([...new Set(deleted.flatMap(({ by }) => by ?? []))]);
  return deleted.map(({ id, name, commit, by, at }) => {
    const person = people.get(by ?? 0);
    return { id, name, sha: commit, at, ...(person ? { by: personOf(person) } : {}) };
  });
}

async function removeTag(sources: Sources, call: Call): Promise<Response> {
  const form = await readForm(call);
  const name = form.text("id") || form.text("name");
  return changed(sources, call, "tags", wordsFor(call, contentWords)("tagDeleted", { name }), () =>
    sources.services.tags.remove(seenRepo(call), name),
  );
}
