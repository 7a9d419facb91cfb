import type { CommitService } from "../../content/commits/service.ts";
import type { Database } from "../../db/database.ts";
import { BRANCHES } from "../../git/refs/names.ts";
import { actionsUser } from "../../identity/system-users.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { PushSource } from "../../webhooks/sources.ts";
import type { StoredHappening } from "../triggers/store.ts";
import { titleOf } from "../triggers/titles.ts";
import type { WorkflowReader } from "../workflows/reader.ts";
import type { StartRequest } from "../workflows/starter.ts";
import { isDisabled } from "../workflows/store.ts";
import type { ScheduledHappening } from "./service.ts";

export interface ScheduledRequestNeeds {
  readonly db: Database;
  readonly reader: WorkflowReader;
  readonly services: { readonly commits: CommitService };
  payloadOf(source: string): Promise<object | undefined>;
}

/** The run of a schedule that came due (contract actions.md 4). @returns undefined if it should no longer run */
export async function scheduledRequest(
  { db, payloadOf, reader, services }: ScheduledRequestNeeds,
  seen: SeenRepo,
  happening: StoredHappening,
): Promise<StartRequest | undefined> {
  // Written from this type.
  const { branch, commit, cron, workflow: id } = JSON.parse(happening.payload) as ScheduledHappening;
  const { repo } = seen;
  if (branch !== repo.defaultBranch || isDisabled(db, repo.id, id)) return undefined;
  const { folder = "", workflows } = await reader.read(repo.id, commit);
  const workflow = workflows.find((found) => found.id === id);
  if (!workflow || workflow.problem !== undefined) return undefined;
  const ref = BRANCHES + branch;
  const userId = actionsUser.id;
  const source: PushSource = { source: "push", repoId: repo.id, ref, oldOid: commit, newOid: commit, userId };
  const push = await payloadOf(JSON.stringify(source));
  return {
    cause: `happening:${happening.id}:${id}:schedule`,
    repoId: repo.id,
    workflow: id,
    workflowFolder: folder,
    source: workflow.source,
    sourceCommit: commit,
    title: titleOf(services.commits.read(seen, commit)?.commit.message ?? ""),
    event: "schedule",
    payload: JSON.stringify({ ...push, schedule: cron }),
    ref,
    commit,
    userId: undefined,
    issueId: undefined,
    isOfFork: false,
    needsApproval: false,
    depth: 0,
  };
}
