import type { Database } from "../../db/database.ts";
import { compileGlob } from "../../git/patterns/rule-glob.ts";
import type { BranchProtections } from "../../protections/branches/service.ts";
import type { SeenPull } from "../../pulls/types.ts";
import type { SeenRepo } from "../../repos/types.ts";
import { JobFailed, type WorkerPool } from "../../workers/pool.ts";
import { checkName, type RunChecks } from "../runs/checks.ts";
import { planInWorker } from "../workflows/planner.ts";
import type { Candidate } from "./service.ts";

export interface SkippedCheckParts {
  readonly checks: RunChecks;
  readonly db: Database;
  readonly pool: WorkerPool;
  readonly protections: BranchProtections;
}

/** Events whose runs report a commit status that merging may wait for. */
const events = new Set(["pull_request", "pull_request_target"]);

/**
 * Reports required checks of workflows whose filters exclude a change: it could never be merged otherwise
 * (contract actions.md 2.2).
 */
export class SkippedChecks {
  constructor(private readonly parts: SkippedCheckParts) {}

  async report(
    seen: SeenRepo,
    { commit, pull }: { readonly commit: string; readonly pull: SeenPull },
    { trigger, workflow }: Candidate,
  ): Promise<void> {
    const { checks, db, pool, protections } = this.parts;
    const settings = events.has(trigger.event) ? protections.ruleOf(seen, pull.pull.baseBranch)?.settings : undefined;
    if (!settings?.enableStatusCheck || settings.statusCheckContexts.length === 0) return;
    const globs = settings.statusCheckContexts.map((pattern) => compileGlob(pattern, ""));
    const contexts = { github: {}, inputs: {}, needs: {}, vars: {} };
    const plan = await planInWorker(pool, workflow.source, contexts).catch((error) => {
      if (error instanceof JobFailed) return undefined;
      throw error;
    });
    const named = { workflow: workflow.id, workflowName: workflow.name };
    const missing = (plan?.jobs ?? [])
      .map(({ name }) => checkName(named, name, trigger.event))
      .filter((context) => globs.some((glob) => glob.matches(context)));
    db.transaction(() => {
      for (const context of missing) checks.skipped(seen.repo, commit, workflow.id, context);
    });
  }
}
