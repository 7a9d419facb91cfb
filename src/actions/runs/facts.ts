import type { Database } from "../../db/database.ts";
import type { IdentityService } from "../../identity/service.ts";
import { actionsUser } from "../../identity/system-users.ts";
import { type JsonObject, objectOf } from "../../kernel/json.ts";
import type { Links } from "../../kernel/links.ts";
import type { RepoService } from "../../repos/service.ts";
import type { Repo } from "../../repos/types.ts";
import type { VariableService } from "../variables/service.ts";
import type { Contexts, NeedResult } from "../workflows/types.ts";
import { githubContext } from "./context.ts";
import * as jobStore from "./jobs-store.ts";
import { needResults, type Siblings } from "./needs.ts";
import * as store from "./store.ts";
import type { NewRun, Run } from "./types.ts";

export interface FactParts {
  readonly db: Database;
  readonly identity: IdentityService;
  readonly links: Links;
  readonly repos: RepoService;
  readonly variables: VariableService;
}

/** A run, whether it is stored yet or not. */
type SomeRun = Pick<
  Run,
  "attempt" | "commit" | "event" | "id" | "number" | "ref" | "repoId" | "sourceCommit" | "userId" | "workflow"
>;

/** Collects the contexts of runs and jobs for expressions and tasks. */
export class RunFactsReader {
  constructor(private readonly parts: FactParts) {}

  /** The contexts of a run that is being created. */
  contextsOfNew(run: Omit<NewRun, "plan">): Contexts {
    const payload = JSON.parse(run.payload) as JsonObject;
    return this.contexts({ ...run, attempt: 1 }, payload, run.userId);
  }

  /** The contexts of a stored run. */
  contextsOfRun(run: Run): Contexts {
    const { db } = this.parts;
    return this.contexts(run, store.runTexts(db, run.id).payload, store.attemptUser(db, run));
  }

  /** The contexts of a job of the run, with its needs' results; in a called workflow the event is `workflow_call`. */
  contextsOfJob(run: Contexts, job: jobStore.OpenJob, needs: Readonly<Record<string, NeedResult>>): Contexts {
    const { inputs, matrix, strategy } = job.plan;
    if (inputs === undefined) return { ...run, needs, matrix, strategy };
    const github = {
      ...run.github,
      event_name: "workflow_call",
      event: { ...objectOf(run.github["event"]), inputs },
    };
    return { ...run, github, inputs, needs, matrix, strategy };
  }

  needs(job: jobStore.OpenJob, siblings: Siblings<jobStore.OpenJob>): Record<string, NeedResult> {
    const cells = job.needs.flatMap((key) => siblings.get(key) ?? []);
    const stored = jobStore.outputsOf(
      this.parts.db,
      cells.flatMap(({ taskId }) => taskId ?? []),
    );
    return needResults(job, siblings, ({ plan, taskId }) => plan.outputs ?? stored.get(taskId ?? 0) ?? {});
  }

  /** @throws Error if it has been deleted for good */
  repo(id: number): Repo {
    const repo = this.parts.repos.byId(id);
    if (!repo) throw new Error("a run has a repository");
    return repo;
  }

  private contexts(run: SomeRun, payload: JsonObject, attemptUserId: number | undefined): Contexts {
    const { identity, links, variables } = this.parts;
    const repo = this.repo(run.repoId);
    const login = (id: number | undefined) => (id === undefined ? undefined : identity.byId(id)?.login);
    const actor = login(run.userId) ?? actionsUser.login;
    const github = githubContext({
      ...run,
      payload,
      owner: login(repo.ownerId) ?? "",
      repo: repo.name,
      actor,
      triggeringActor: login(attemptUserId) ?? actor,
      rootUrl: links.rootUrl,
    });
    return { github, vars: variables.valuesFor(repo), inputs: objectOf(payload["inputs"]), needs: {} };
  }
}
