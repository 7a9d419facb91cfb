import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import type { LogRow as Row } from "../../logs/service.ts";
import { Status } from "../../runs/statuses.ts";
import type { GivenTask, Report } from "../../tasks/service.ts";
import { type LogRow, Result, type StepState, type TaskSchema, type UpdateTaskRequest } from "./runner_pb.ts";

/** Between what the server knows of tasks and what runners are sent (contract actions.md 6.3). */

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

/** What a runner is told of its task; a job that is being cancelled is one that it must end. */
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

/** @param now milliseconds: the time of rows that have none */
export function logRows(rows: readonly LogRow[], now: number): Row[] {
  return rows.map(({ content, time }) => ({
    seconds: time ? Number(time.seconds) : Math.floor(now / 1000),
    nanos: time ? time.nanos : (now % 1000) * 1e6,
    text: content,
  }));
}

/** undefined: it goes on, or the runner knows a result that we do not. */
function doneStatus(result: Result | undefined): Status | undefined {
  return Object.values(results).find((known) => known === result) as Status | undefined;
}

/** 1970 is how some runners say that there is none. */
function timeOf(time: Timestamp | undefined): number | undefined {
  const at = time ? timestampMs(time) : 0;
  return at > 0 && at < 253_402_300_799_000 ? Math.floor(at) : undefined;
}

const count = (value: bigint) => (value > 0n ? Number(BigInt.asUintN(48, value)) : 0);
