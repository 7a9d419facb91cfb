import { operator } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import type { JobRun } from "../../jobs/types.ts";
import { type JsonObject, objectOf } from "../../kernel/json.ts";
import type { Log } from "../../kernel/log.ts";
import { nextTurn } from "../../kernel/next-turn.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Services } from "../../services.ts";
import { commitAt } from "../../webhooks/payloads/commits.ts";
import type { PayloadSource } from "../../webhooks/sources.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import type { Run } from "../runs/types.ts";
import { scheduledRequest } from "../schedules/request.ts";
import { BadWorkflow } from "../workflows/failure.ts";
import { asksForPaths } from "../workflows/filters.ts";
import type { WorkflowReader } from "../workflows/reader.ts";
import type { ReadWorkflow } from "../workflows/reading.ts";
import type { StartRequest, WorkflowStarter } from "../workflows/starter.ts";
import { disabledWorkflows } from "../workflows/store.ts";
import type { Trigger } from "../workflows/triggers.ts";
import { isOfFork, needsApproval } from "./approval.ts";
import { runsWorkflows } from "./listener.ts";
import { isSkippable, type Occasion, occasionsOf } from "./occasions.ts";
import { type Place, type PlaceNeeds, placeOf } from "./places.ts";
import type { SkippedChecks } from "./skipped.ts";
import { deleteHappening, firstHappening, type StoredHappening } from "./store.ts";
import { titleOf } from "./titles.ts";

export interface TriggerParts {
  readonly db: Database;
  readonly log: Log;
  readonly pool: WorkerPool;
  readonly reader: WorkflowReader;
  readonly services: PlaceNeeds & Pick<Services, "actionsRunLists" | "identity" | "repos">;
  readonly skipped: SkippedChecks;
  readonly starter: WorkflowStarter;
  readonly storage: RepoStorage;
  /** Builds a payload from its source; undefined if that is gone. */
  payloadOf(source: string): Promise<object | undefined>;
}

/** A workflow that an event triggers. */
export interface Candidate {
  readonly workflow: ReadWorkflow;
  readonly trigger: Trigger;
}

/** An event with its payload. */
interface Told {
  readonly happening: StoredHappening;
  readonly payload: JsonObject;
}

/** Words in a commit message or pull request title that keep workflows from running. */
const skipWords = ["[skip ci]", "[ci skip]", "[no ci]", "[skip actions]", "[actions skip]"];
const MATCH_TIMEOUT_MS = 20_000;
/** An event that fails this often is dropped so that the next can be processed. */
const MAX_TRIES = 3;
/** Length of a chain of runs triggered by `workflow_run`. */
const MAX_DEPTH = 5;

/** A new ref may bring a whole history for maintenance to process: doing both at once takes the memory of both. */
const MAX_WAIT_MS = 60_000;

function bringsRef({ isSource, payload, type }: StoredHappening): boolean {
  const source = isSource ? (JSON.parse(payload) as PayloadSource) : undefined;
  return type === "create" || (source?.source === "push" && source.oldOid === null);
}

/** Starts workflows for events (contract actions.md 2). */
export class WorkflowTriggers {
  constructor(private readonly parts: TriggerParts) {}

  /** Processes all events of a repository, in order. */
  async lookAt(repoId: number, { attempt, signal }: Pick<JobRun, "attempt" | "signal">): Promise<void> {
    const { db, log, pool } = this.parts;
    let isAlone = false;
    for (let next = firstHappening(db, repoId); next; next = firstHappening(db, repoId)) {
      signal.throwIfAborted();
      if (!isAlone && bringsRef(next)) {
        await pool.quiet("maintenance", MAX_WAIT_MS, signal);
        isAlone = true;
      }
      try {
        await this.handle(next);
      } catch (error) {
        if (signal.aborted || attempt < MAX_TRIES) throw error;
        log.error("workflows could not be started", { repoId, type: next.type, error });
      }
      deleteHappening(db, next.id);
      // Cached reads never yield, and one push may bring thousands of events.
      await nextTurn();
    }
  }

  private async handle(happening: StoredHappening): Promise<void> {
    const { payloadOf, services } = this.parts;
    const seen = services.repos.seeById(operator, happening.repoId);
    if (!seen || !runsWorkflows(seen.repo)) return;
    if (happening.type === "schedule") return this.startScheduled(seen, happening);
    if (happening.isSource && !(await this.mayStart(seen, happening))) return;
    const made = happening.isSource ? await payloadOf(happening.payload) : (JSON.parse(happening.payload) as object);
    if (!made) return;
    const payload = made as JsonObject;
    for (const occasion of occasionsOf(happening.type, happening.detail, payload))
      await this.answer(seen, occasion, { happening, payload });
  }

  /**
   * Whether any workflow may listen for it: building a push payload means reading commits, and a first push brings
   * hundreds of tags older than any workflow.
   */
  private async mayStart(seen: SeenRepo, { payload }: StoredHappening): Promise<boolean> {
    const { reader, services } = this.parts;
    const source = JSON.parse(payload) as PayloadSource;
    if (source.source !== "push") return true;
    const commit = source.newOid === null ? undefined : commitAt(services, seen, source.newOid)?.oid;
    if (commit === undefined) return false;
    const { workflows } = await reader.read(seen.repo.id, commit);
    return workflows.some(({ triggers }) => triggers.some(({ event }) => event === "push"));
  }

  private async answer(seen: SeenRepo, occasion: Occasion, told: Told): Promise<void> {
    const { db, reader, services, skipped } = this.parts;
    const place = placeOf(services, seen, occasion, told.payload);
    if (!place) return;
    const { workflows } = await reader.read(seen.repo.id, place.sourceCommit);
    const off = disabledWorkflows(db, seen.repo.id);
    const candidates = workflows.flatMap((workflow) =>
      off.has(workflow.id)
        ? []
        : workflow.triggers.filter(({ event }) => event === occasion.event).map((trigger) => ({ workflow, trigger })),
    );
    if (candidates.length === 0 || this.isSkipped(seen, place, told)) return;
    const areMeant = await this.match(seen, occasion, place, candidates, told.payload);
    for (const [at, candidate] of candidates.entries()) {
      if (areMeant[at]) await this.start(seen, occasion, place, candidate, told);
      else if (place.pull) await skipped.report(seen, { ...place, pull: place.pull }, candidate);
    }
  }

  private async match(
    { repo }: SeenRepo,
    { event, type }: Occasion,
    place: Place,
    candidates: readonly Candidate[],
    payload: JsonObject,
  ): Promise<readonly boolean[]> {
    const { pool, storage } = this.parts;
    const triggers = candidates.map(({ trigger }) => trigger);
    const range = triggers.some(asksForPaths) ? await place.change() : undefined;
    const change = range && { ...range, repoDir: storage.dirOf(repo.id) };
    const name = objectOf(payload["workflow"])["name"];
    const workflow = typeof name === "string" ? name : "";
    const occurrence = { event, type, ref: place.filterRef, workflow };
    return pool.run("actions.match", { triggers, occurrence, change }, { timeoutMs: MATCH_TIMEOUT_MS });
  }

  private isSkipped(seen: SeenRepo, place: Place, { happening }: Told): boolean {
    if (!isSkippable(happening.type)) return false;
    const message = this.parts.services.commits.read(seen, place.commit)?.commit.message ?? "";
    const title = place.pull?.issue.title ?? "";
    return skipWords.some((word) => message.includes(word) || title.includes(word));
  }

  private async start(
    seen: SeenRepo,
    occasion: Occasion,
    place: Place,
    { workflow }: Candidate,
    { happening, payload }: Told,
  ): Promise<void> {
    const { reader, services } = this.parts;
    const before = this.runBefore(seen, occasion, payload);
    const depth = before ? before.depth + 1 : 0;
    if (depth > MAX_DEPTH) return;
    const { event } = occasion;
    const { pull } = place;
    const { folder = "" } = await reader.read(seen.repo.id, place.sourceCommit);
    const message = services.commits.read(seen, place.commit)?.commit.message ?? "";
    const request: StartRequest = {
      cause: `happening:${happening.id}:${workflow.id}:${event}`,
      repoId: seen.repo.id,
      workflow: workflow.id,
      workflowFolder: folder,
      source: workflow.source,
      sourceCommit: place.sourceCommit,
      title: pull?.issue.title ?? titleOf(message),
      event,
      payload: JSON.stringify(payload),
      ref: place.ref,
      commit: place.commit,
      userId: before ? before.userId : happening.userId,
      issueId: pull?.issue.id,
      isOfFork: pull !== undefined && event !== "pull_request_target" && isOfFork(pull),
      needsApproval: pull !== undefined && needsApproval(services, pull, event),
      depth,
    };
    await this.tryStart(request);
  }

  private async startScheduled(seen: SeenRepo, happening: StoredHappening): Promise<void> {
    const request = await scheduledRequest(this.parts, seen, happening);
    if (request) await this.tryStart(request);
  }

  /** A file that cannot run does not keep the others from running. */
  private async tryStart(request: StartRequest): Promise<void> {
    const { log, starter } = this.parts;
    try {
      await starter.start(request);
    } catch (error) {
      if (!(error instanceof BadWorkflow)) throw error;
      const { repoId, workflow } = request;
      log.info("a workflow could not be started", { repoId, workflow, why: error.message });
    }
  }

  /** The run that the event is about, if any. */
  private runBefore(seen: SeenRepo, { event }: Occasion, payload: JsonObject): Run | undefined {
    const id = event === "workflow_run" ? objectOf(payload["workflow_run"])["id"] : undefined;
    return typeof id === "number" ? this.parts.services.actionsRunLists.get(seen, id) : undefined;
  }
}
