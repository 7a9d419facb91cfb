import { JobFailed, type WorkerPool } from "../../workers/pool.ts";
import type { RunFactsReader } from "../runs/facts.ts";
import type { RunService } from "../runs/service.ts";
import type { NewRun, Run } from "../runs/types.ts";
import { ExpressionError } from "./evaluate.ts";
import { BadWorkflow } from "./failure.ts";
import { planInWorker } from "./planner.ts";

export interface StarterParts {
  readonly facts: RunFactsReader;
  readonly pool: WorkerPool;
  readonly runs: RunService;
}

/** A run to create, before anything in its file is evaluated. */
export interface StartRequest extends Omit<NewRun, "cause" | "id" | "number" | "plan"> {
  /** undefined: each request creates a run. */
  readonly cause: string | undefined;
}

const MAX_TITLE_CHARACTERS = 255;

/** Plans a workflow and creates its run. */
export class WorkflowStarter {
  constructor(private readonly parts: StarterParts) {}

  /** @returns undefined if a run with that cause exists already @throws BadWorkflow if it cannot run */
  async start(request: StartRequest): Promise<Run | undefined> {
    const { facts, pool, runs } = this.parts;
    const { id, number } = runs.reserve(request.repoId);
    const draft = { ...request, id, number, cause: request.cause ?? `dispatch:${id}` };
    try {
      const plan = await planInWorker(pool, request.source, facts.contextsOfNew(draft));
      const title = (plan.runName ?? request.title).slice(0, MAX_TITLE_CHARACTERS).toWellFormed();
      return runs.create({ ...draft, title, plan });
    } catch (error) {
      if (error instanceof JobFailed && error.originalName === BadWorkflow.name) throw new BadWorkflow(error.message);
      if (error instanceof ExpressionError) throw new BadWorkflow(error.message);
      throw error;
    }
  }
}
