import type { Database } from "../../db/database.ts";
import { BadRequest } from "../../kernel/errors.ts";
import type { AskingJob } from "../artifacts/types.ts";
import type { RunLists } from "../runs/lists.ts";
import type { Run } from "../runs/types.ts";
import * as store from "./store.ts";

/** Limit for one step, and for all steps of a job together. */
export const MAX_SUMMARY_BYTES = 1 << 20;

/** Summaries that steps write for the page of their run (contract actions.md 7.4). */
export class SummaryService {
  constructor(
    private readonly db: Database,
    private readonly lists: RunLists,
  ) {}

  /** @param text empty: removes it @throws BadRequest for a step the job lacks, or if its summaries are too large */
  put({ jobId, taskId }: AskingJob, step: number, text: string): void {
    const { db } = this;
    const steps = this.lists.steps([{ taskId }]).get(taskId) ?? [];
    if (!steps.some(({ position }) => position === step)) throw new BadRequest("actions.no-such-step");
    const sizeBytes = Buffer.byteLength(text);
    db.transaction(() => {
      if (sizeBytes === 0) return store.deleteSummary(db, jobId, step);
      if (sizeBytes + store.bytesOfOthers(db, jobId, step) > MAX_SUMMARY_BYTES)
        throw new BadRequest("actions.summary-too-large", { params: { max: MAX_SUMMARY_BYTES } });
      store.putSummary(db, { jobId, step, text }, sizeBytes);
    });
  }

  /** The summaries of an attempt of a run, in the order of its jobs and their steps. */
  ofAttempt({ id }: Run, attempt: number): store.Summary[] {
    return store.summariesOf(this.db, id, attempt);
  }
}
