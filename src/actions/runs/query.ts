import { Type } from "@sinclair/typebox";
import { choiceParam, type Parameter, textParam } from "../../http/query.ts";
import { BadRequest } from "../../kernel/errors.ts";
import { Status } from "./statuses.ts";

/** Query parameters of lists of runs and jobs (contract actions.md 8.6 and 8.7). */

const { blocked, cancelled, cancelling, failure, running, skipped, success, waiting } = Status;

/** Clients' words for statuses; several words may mean the same one. */
const meanings: Readonly<Record<string, readonly Status[]>> = {
  pending: [blocked],
  waiting: [blocked],
  requested: [blocked],
  action_required: [blocked],
  queued: [waiting],
  in_progress: [running, cancelling],
  completed: [success, failure, cancelled, skipped],
  success: [success],
  failure: [failure],
  skipped: [skipped],
  neutral: [skipped],
  cancelled: [cancelled],
  timed_out: [cancelled],
};

const statusParam: Parameter<readonly Status[] | undefined> = {
  description: "Only those with one of these statuses or conclusions, such as queued or failure.",
  schema: Type.Array(Type.String({ enum: Object.keys(meanings) })),
  read: (_first, _name, all) => {
    const given = all.filter((word) => word !== "");
    return given.length === 0 ? undefined : [...new Set(given.flatMap(statusesNamed))];
  },
};

/** @throws BadRequest */
function statusesNamed(word: string): readonly Status[] {
  const found = Object.hasOwn(meanings, word) ? meanings[word] : undefined;
  if (!found) throw new BadRequest("actions.bad-status", { field: "status", params: { given: word } });
  return found;
}

export const runFilters = {
  event: textParam("Only runs started by this event, named as in workflows."),
  branch: textParam("Only runs for this branch."),
  status: statusParam,
  actor: textParam("Only runs started by this account."),
  head_sha: textParam("Only runs for this commit."),
};

export const jobFilters = { status: statusParam };

export const jobOrder = {
  sort: choiceParam("What the list is ordered by.", ["id"], "sort mode"),
  order: choiceParam("The direction; oldest first by default.", ["asc", "desc"], "sort order"),
};
