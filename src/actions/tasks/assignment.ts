import type { Database } from "../../db/database.ts";
import { type Json, type JsonObject, objectOf } from "../../kernel/json.ts";
import type { Secret } from "../../secrets/secret.ts";
import type { RunFactsReader } from "../runs/facts.ts";
import * as jobStore from "../runs/jobs-store.ts";
import { siblingsOf } from "../runs/needs.ts";
import type * as runs from "../runs/store.ts";
import { isOfStranger } from "../runs/types.ts";
import type { ActionsSecretService } from "../secrets/service.ts";
import type { CallText, NeedResult } from "../workflows/types.ts";

/** Everything a runner gets with a job, except the tokens (contract actions.md 6.9, 6.10). */
export interface Assignment {
  readonly payload: string;
  readonly context: JsonObject;
  readonly secrets: Readonly<Record<string, Secret>>;
  readonly vars: Readonly<Record<string, string>>;
  readonly needs: Readonly<Record<string, NeedResult>>;
}

export interface AssignmentParts {
  readonly facts: RunFactsReader;
  readonly secrets: ActionsSecretService;
  readonly defaultActionsUrl: string;
}

export class Assignments {
  constructor(
    private readonly db: Database,
    private readonly parts: AssignmentParts,
  ) {}

  of(run: runs.GroupedRun, job: jobStore.OpenJob): Assignment {
    const { defaultActionsUrl, facts } = this.parts;
    // A job without needs that was not called does not depend on other jobs.
    const isAlone = job.needs.length === 0 && job.parentId === undefined;
    const jobs = isAlone ? [job] : jobStore.jobsOfAttempt(this.db, run.id, job.attempt);
    const siblings = siblingsOf(jobs.filter(({ parentId }) => parentId === job.parentId));
    const needs = facts.needs(job, siblings);
    const { github, vars } = facts.contextsOfJob(facts.contextsOfRun(run), job, needs);
    return {
      payload: jobStore.planOf(this.db, job.id).payload,
      context: {
        ...github,
        event: withTextInputs(objectOf(github["event"])),
        job: job.key,
        gitea_default_actions_url: defaultActionsUrl,
      },
      secrets: isOfStranger(run) ? {} : this.secretsOf(run, job, jobs),
      vars,
      needs,
    };
  }

  /** Jobs of a called workflow get the secrets that their call passes on. */
  private secretsOf(
    run: runs.GroupedRun,
    job: jobStore.OpenJob,
    jobs: readonly jobStore.OpenJob[],
  ): Readonly<Record<string, Secret>> {
    const call = jobs.find(({ id }) => id === job.parentId);
    if (!call) return this.parts.secrets.valuesFor(this.parts.facts.repo(run.repoId));
    return passedOn(this.secretsOf(run, call, jobs), call.plan.call?.secrets ?? {});
  }
}

/** The `secrets` of a call: all, or some under other names; only a plain `secrets.NAME` is passed on. */
export function passedOn(
  secrets: Readonly<Record<string, Secret>>,
  passed: CallText["secrets"],
): Readonly<Record<string, Secret>> {
  if (passed === "inherit") return secrets;
  const entries = Object.entries(passed).flatMap(([name, text]) => {
    const named = /^\s*\$\{\{\s*secrets\.([A-Za-z_]\w*)\s*\}\}\s*$/.exec(text)?.[1];
    const secret = named === undefined ? undefined : secrets[named.toUpperCase()];
    return secret ? [[name.toUpperCase(), secret] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** Old and new runners agree only on `"true"` and `"false"`. */
function withTextInputs(event: JsonObject): JsonObject {
  if (event["inputs"] === undefined) return event;
  const text = (value: Json) => (typeof value === "boolean" ? String(value) : value);
  const inputs = Object.entries(objectOf(event["inputs"])).map(([name, value]) => [name, text(value)] as const);
  return { ...event, inputs: Object.fromEntries(inputs) };
}
