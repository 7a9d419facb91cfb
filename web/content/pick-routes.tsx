import { openEditor } from "../../src/content/access.ts";
import type { ReadCommit } from "../../src/content/commits/service.ts";
import { decodeSegment } from "../../src/http/path.ts";
import { type Call, param, type Route } from "../../src/http/route.ts";
import { NotFound, Redirected } from "../../src/kernel/errors.ts";
import { segments } from "../../src/kernel/url-path.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { FormErrors } from "../components/form.tsx";
import { formErrors, readForm } from "../form-data.ts";
import { subjectOf } from "../home/pushed-commits.ts";
import { commitHref, withQuery } from "../links.ts";
import { homeOf } from "../repos/frame.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { blankCommit, commitTarget, requestedCommit, suggested, typedCommit } from "./edit-place.ts";
import type { CommitForm, EditField } from "./editor.tsx";
import { ChooseBranchPage, type PickKind, PickPage } from "./pick.tsx";
import { rawSegments } from "./place.ts";
import type { Sources } from "./sources.ts";

/** Maximum branches in the selector. */
const MAX_BRANCHES = 1_000;

interface PickPlace {
  readonly seen: SeenRepo;
  readonly read: ReadCommit;
  readonly branch: string;
}

/** Cherry-picking and reverting a commit in the browser (contract git-content.md 11.5). */
export function pickPages(sources: Sources): Route[] {
  const page = { surface: "page", access: openEditor } as const;
  const form = "/:owner/:repo/_cherrypick/*";
  return [
    { ...page, method: "GET", path: "/:owner/:repo/cherry-pick/:sha", handle: (call) => choose(sources, call) },
    { ...page, method: "GET", path: form, handle: (call) => pickForm(sources, call) },
    { ...page, method: "POST", path: form, handle: (call) => pick(sources, call) },
  ];
}

/** @throws NotFound */
async function readPicked(
  { services }: Sources,
  call: Call,
  id: string,
): Promise<{ seen: SeenRepo; read: ReadCommit }> {
  const seen = seenRepo(call);
  if (!/^[0-9a-f]{4,64}$/i.test(id)) throw new NotFound();
  const oid = await services.revisions.settled(() => services.revisions.byDigits(seen, id));
  const read = oid === undefined ? undefined : services.commits.read(seen, oid);
  if (!read) throw new NotFound();
  return { seen, read };
}

const kindOf = (call: Call): PickKind => (call.query.get("cherry-pick-type") === "revert" ? "revert" : "cherry-pick");

function actionOf({ seen, read, branch }: PickPlace): string {
  return homeOf(seen, `_cherrypick/${read.oid}/${segments(branch)}`);
}

async function choose(sources: Sources, call: Call): Promise<Response> {
  const { services } = sources;
  const { seen, read } = await readPicked(sources, call, param(call, "sha"));
  const kind = kindOf(call);
  const branch = call.query.get("branch") ?? "";
  if (branch !== "") {
    if (!services.branches.find(seen, branch)) throw new NotFound();
    const type = kind === "revert" ? kind : undefined;
    throw new Redirected(303, withQuery(actionOf({ seen, read, branch }), { "cherry-pick-type": type }));
  }
  const view = (
    <ChooseBranchPage
      shell={shellOf(services, call)}
      repo={await sources.frame(seen)}
      kind={kind}
      sha={read.oid}
      subject={subjectOf(read.commit.message)}
      action={homeOf(seen, `cherry-pick/${read.oid}`)}
      branches={services.refLists.branchNames(seen, "", MAX_BRANCHES)}
    />
  );
  return show(call, view);
}

/** @throws NotFound */
async function placeOf(sources: Sources, call: Call): Promise<PickPlace> {
  const [sha = "", ...rest] = rawSegments(call).map(decodeSegment);
  const { seen, read } = await readPicked(sources, call, sha);
  const branch = rest.join("/");
  if (!sources.services.branches.find(seen, branch)) throw new NotFound();
  return { seen, read, branch };
}

async function pickForm(sources: Sources, call: Call): Promise<Response> {
  const place = await placeOf(sources, call);
  const kind = kindOf(call);
  const [summary = "", ...rest] = place.read.commit.message.split("\n");
  const commit: CommitForm = {
    ...blankCommit,
    summary: kind === "revert" ? `revert ${summary}` : summary,
    message: rest.join("\n").trim(),
  };
  return pickPage(sources, call, place, kind, commit, undefined);
}

async function pickPage(
  sources: Sources,
  call: Call,
  place: PickPlace,
  kind: PickKind,
  commit: CommitForm,
  errors: FormErrors<EditField> | undefined,
): Promise<Response> {
  const { seen, read, branch } = place;
  const view = (
    <PickPage
      shell={shellOf(sources.services, call)}
      repo={await sources.frame(seen)}
      kind={kind}
      sha={read.oid}
      subject={subjectOf(read.commit.message)}
      branch={branch}
      action={actionOf(place)}
      commit={suggested(sources, call, place, commit)}
      target={commitTarget(sources, place)}
      {...(errors ? { errors } : {})}
    />
  );
  return show(call, view, { status: errors ? 422 : 200 });
}

async function pick(sources: Sources, call: Call): Promise<Response> {
  const { services } = sources;
  const place = await placeOf(sources, call);
  const form = await readForm(call);
  const kind: PickKind = form.checked("revert") ? "revert" : "cherry-pick";
  const typed = typedCommit(form);
  try {
    const edited = await services.edits.commit(place.seen, {
      operations: [],
      change: { kind, commit: place.read.oid },
      branch: place.branch,
      ...requestedCommit(sources, call, typed, "other-commit"),
    });
    const repo = { owner: place.seen.owner.login, name: place.seen.repo.name };
    return redirectAfterPost(services, call, commitHref(repo, edited.commit));
  } catch (error) {
    const errors = formErrors<EditField>(call, error, {
      new_branch: "new_branch_name",
      new_branch_name: "new_branch_name",
      commit_email: "commit_email",
    });
    return pickPage(sources, call, place, kind, typed, errors);
  }
}
