import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import type { LogRow as Row } from "../../logs/service.ts";
import { Status } from "../../runs/statuses.ts";
import type { GivenTask, Report } from "../../tasks/service.ts";
import { type LogRow, Result, type StepState, type TaskSchema, type UpdateTaskRequest } from "./runner_pb.ts";

/** Converts between the server's tasks and the runner protocol (contract actions.md 6.3). */

const results = {
  success: Result.SUCCESS,
  failure: Result.FAILURE,
  cancelled: Result.CANCELLED,
  skipped: Result.SKIPPED,
} as const;

export function taskMessage(task: GivenTask): MessageInitShape<typeof TaskSchema> {
  const { context, id, needs, payload, runtimeToken, secrets, token, vars } = task;
  const values = Object.entries(secrets).map(([name, secret]) => [name, secret.reveal()] as const);
  return {
    id: BigInt(id),
    workflowPayload: new TextEncoder().encode(payload),
    context: { ...context, token, gitea_runtime_token: runtimeToken } as JsonObject,
    secrets: { ...Object.fromEntries(values), GITHUB_TOKEN: token, GITEA_TOKEN: token },
    vars: { ...vars },
    needs: Object.fromEntries(
      Object.entries(needs).map(([key, { outputs, result }]) => [
        key,
        { outputs: { ...outputs }, result: results[result] },
      ]),
    ),
  };
}

/** The result a runner sees for its task; a job being cancelled appears as cancelled, so that the runner ends it. */
export function wireResult(status: Status): Result {
  if (status === Status.cancelling) return Result.CANCELLED;
  return status >= Status.success && status <= Status.skipped ? (status as number as Result) : Result.UNSPECIFIED;
}

export function reportOf({ outputs, state }: UpdateTaskRequest): Report {
  return {
    taskId: Number(state?.id ?? 0n),
    result: doneStatus(state?.result),
    stoppedAt: timeOf(state?.stoppedAt),
    steps: (state?.steps ?? []).map(stepOf),
    outputs,
  };
}

function stepOf({ id, logIndex, logLength, result, startedAt, stoppedAt }: StepState): Report["steps"][number] {
  const started = timeOf(startedAt);
  return {
    position: Number(id),
    status: doneStatus(result) ?? (started === undefined ? Status.waiting : Status.running),
    logIndex: count(logIndex),
    logLength: count(logLength),
    startedAt: started,
    stoppedAt: timeOf(stoppedAt),
  };
}

/** @param now milliseconds, the time given to rows without one */
export function logRows(rows: readonly LogRow[], now: number): Row[] {
  return rows.map(({ content, time }) => ({
    seconds: time ? Number(time.seconds) : Math.floor(now / 1000),
    nanos: time ? time.nanos : (now % 1000) * 1e6,
    text: content,
  }));
}

/** undefined: the job is still running, or the runner knows a result that this server does not. */
function doneStatus(result: Result | undefined): Status | undefined {
  return Object.values(results).find((known) => known === result) as Status | undefined;
}

/** Some runners send 1970 for no time. */
function timeOf(time: Timestamp | undefined): number | undefined {
  const at = time ? timestampMs(time) : 0;
  return at > 0 && at < 253_402_300_799_000 ? Math.floor(at) : undefined;
}

const count = (value: bigint) => (value > 0n ? Number(BigInt.asUintN(48, value)) : 0);
