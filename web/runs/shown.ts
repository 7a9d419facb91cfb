import type { User } from "../../src/access/user.ts";
import { writesRuns } from "../../src/actions/access.ts";
import { duration } from "../../src/actions/runs/checks.ts";
import { shortRef } from "../../src/actions/runs/context.ts";
import { isDone, Status } from "../../src/actions/runs/statuses.ts";
import type { Run } from "../../src/actions/runs/types.ts";
import { BRANCHES, TAGS } from "../../src/git/refs/names.ts";
import { actionsUser, ghost } from "../../src/identity/system-users.ts";
import { mayUse } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import type { Person } from "../components/avatar.tsx";
import { type RepoName, refHref, repoHref, withQuery } from "../links.ts";
import { personOf } from "../people.ts";
import { homeOf } from "../repos/frame.ts";
import type { RunItem, RunRights, ShownRef } from "./list.tsx";

/** How pages present runs. */

/**
 * The duration of something, until now if it is still running; undefined: not started. Times are milliseconds since
 * 1970.
 */
export function tookOf(
  { startedAt, stoppedAt }: { readonly startedAt: number | undefined; readonly stoppedAt: number | undefined },
  now: number,
): string | undefined {
  return startedAt === undefined ? undefined : duration((stoppedAt ?? now) - startedAt);
}

/** Accounts by id; no id means Actions itself, and a deleted account is a ghost. */
export function peopleOf(
  { identity }: Pick<WebServices, "identity">,
  ids: readonly (number | undefined)[],
): (id: number | undefined) => Person {
  const accounts: ReadonlyMap<number, User> = identity.byIds(ids.filter((id) => id !== undefined));
  return (id) => personOf(id === undefined ? actionsUser : (accounts.get(id) ?? ghost));
}

/** What the viewer may do with a run. */
export function rightsOf(seen: SeenRepo, run: Pick<Run, "approvedBy" | "needsApproval" | "status">): RunRights {
  const mayWrite = mayUse(writesRuns, seen);
  const done = isDone(run.status);
  const hasFailed = run.status === Status.failure || run.status === Status.cancelled;
  return {
    cancel: mayWrite && !done,
    approve: mayWrite && !done && run.needsApproval && run.approvedBy === undefined,
    rerun: mayWrite && done,
    rerunFailed: mayWrite && done && hasFailed,
    delete: mayWrite && done,
  };
}

/** What a run was started for: a branch, a tag, a pull request, or a commit. */
export function refOf(repo: RepoName, ref: string): ShownRef {
  const name = shortRef(ref);
  if (ref.startsWith(BRANCHES)) return { label: name, href: refHref(repo, "src", { kind: "branch", name }) };
  if (ref.startsWith(TAGS)) return { label: name, href: refHref(repo, "src", { kind: "tag", name }) };
  if (ref.startsWith("refs/pull/")) return { label: `#${name}`, href: repoHref(repo, `pulls/${name}`) };
  return { label: name.slice(0, 10), href: undefined };
}

export const workflowHref = (seen: SeenRepo, workflow: string): string =>
  withQuery(homeOf(seen, "actions"), { workflow });

/** Runs as the list shows them. */
export function itemsOf(services: WebServices, seen: SeenRepo, runs: readonly Run[]): RunItem[] {
  const person = peopleOf(
    services,
    runs.map(({ userId }) => userId),
  );
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  const now = Date.now();
  return runs.map((run) => ({
    id: run.id,
    number: run.number,
    title: run.title,
    workflow: run.workflowName || run.workflow,
    event: run.event,
    ref: refOf(repo, run.ref),
    commit: run.commit,
    person: person(run.userId),
    at: run.createdAt,
    status: run.status,
    duration: tookOf(run, now),
    may: rightsOf(seen, run),
  }));
}
