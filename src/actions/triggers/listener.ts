import type { Database } from "../../db/database.ts";
import type { EventPayloads } from "../../events/types.ts";
import { BRANCHES, TAGS } from "../../git/refs/names.ts";
import { actionsUser } from "../../identity/system-users.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { RefService } from "../../repos/refs/service.ts";
import type { RepoService } from "../../repos/service.ts";
import { unitsOn } from "../../repos/settings/defaults.ts";
import type { Repo } from "../../repos/types.ts";
import type { Happening, HappeningListener, HeardEvent } from "../../webhooks/happenings.ts";
import type { WorkflowReader } from "../workflows/reader.ts";
import { changesNothing, detailOf, interestIn, readsElsewhere } from "./interest.ts";
import { insertHappening } from "./store.ts";

export interface ListenerParts {
  readonly clock: Clock;
  readonly db: Database;
  readonly jobs: JobQueue;
  readonly reader: WorkflowReader;
  readonly refs: RefService;
  readonly repos: RepoService;
}

declare module "../../jobs/types.ts" {
  interface JobPayloads {
    /** Starts workflows for a repository's events, in order, and brings its schedules up to date. */
    "actions.happened": { repoId: number };
  }
}

/** A push of more tags imports history rather than releases: none of its tags starts anything. */
const MAX_TAGS = 30;
/** A push of more refs starts workflows for the first ones only. */
const MAX_HAPPENINGS = 300;

/**
 * Records events for workflows, in the transaction in which they happen. Events that no workflow listens for are not
 * built at all: a repository without workflows costs one table lookup.
 */
export class WorkflowListener implements HappeningListener {
  constructor(private readonly parts: ListenerParts) {}

  wants(event: HeardEvent): boolean {
    const { kind } = event;
    const { principal, repoId } = event.context;
    const names = interestIn(kind);
    if (names === undefined || repoId === undefined || changesNothing(event)) return false;
    // Jobs' actions start no workflows (contract actions.md 2.2); the progress of runs does, up to a depth.
    const isOfJob = principal?.via === "job" || principal?.userId === actionsUser.id;
    if (isOfJob && kind !== "actions.run-changed") return false;
    const repo = this.parts.repos.byId(repoId);
    if (!repo || !runsWorkflows(repo)) return false;
    return readsElsewhere(event) || this.isAskedFor(repo, names);
  }

  hear(event: HeardEvent, happenings: readonly Happening[]): void {
    const { clock, db } = this.parts;
    const { principal, repoId } = event.context;
    if (repoId === undefined) return;
    const detail = detailOf(event);
    const told = bringsManyTags(event) ? happenings.filter(({ ref }) => ref?.startsWith(TAGS) !== true) : happenings;
    for (const { payload, type, workflowPart } of told.slice(0, MAX_HAPPENINGS)) {
      const text = JSON.stringify({ ...payload, ...workflowPart });
      const row = { repoId, type, detail, userId: principal?.userId, payload: text };
      insertHappening(db, { ...row, isSource: "source" in payload }, clock());
    }
    this.wake(repoId);
  }

  /** Queues the repository's events for processing. Joins the running transaction. */
  wake(repoId: number): void {
    this.parts.jobs.enqueue("actions.happened", { repoId }, { uniqueKey: `actions:${repoId}` });
  }

  /** Whether workflows of the default branch listen for one of these events, as far as is known. */
  private isAskedFor(repo: Repo, names: readonly string[]): boolean {
    const { reader, refs } = this.parts;
    const tip = refs.find(repo.id, BRANCHES + repo.defaultBranch)?.oid;
    if (tip === undefined) return false;
    const known = reader.lately(repo.id, tip);
    return known?.workflows.some(({ triggers }) => triggers.some(({ event }) => names.includes(event))) ?? true;
  }
}

const bringsManyTags = ({ kind, payload }: HeardEvent): boolean =>
  kind === "refs.changed" &&
  (payload as EventPayloads["refs.changed"]).moves.filter(({ name }) => name.startsWith(TAGS)).length > MAX_TAGS;

/** Nothing starts in a repository that is archived or has Actions disabled. */
export const runsWorkflows = (repo: Repo): boolean =>
  !repo.isArchived && !repo.isBinned && unitsOn(repo.settings).has("actions");
