import type { Call, Route } from "../../../http/route.ts";
import type { Services } from "../../../services.ts";
import type { Runner } from "../../types.ts";
import { boundedReport, firstRows } from "./bounds.ts";
import { procedureRoute } from "./connect.ts";
import { logRows, reportOf, taskMessage, wireResult } from "./messages.ts";
import { PingRequestSchema, PingResponseSchema } from "./ping_pb.ts";
import {
  DeclareRequestSchema,
  DeclareResponseSchema,
  FetchTaskRequestSchema,
  FetchTaskResponseSchema,
  RegisterRequestSchema,
  RegisterResponseSchema,
  UpdateLogRequestSchema,
  UpdateLogResponseSchema,
  UpdateTaskRequestSchema,
  UpdateTaskResponseSchema,
} from "./runner_pb.ts";

const PING = "/api/actions/ping.v1.PingService";
const RUNNER = "/api/actions/runner.v1.RunnerService";

/** Reports include the job's outputs. */
const MAX_REPORT_BYTES = 8 << 20;
/** Some runners send everything a job wrote since their last call, however much it is. */
const MAX_LOG_BYTES = 32 << 20;

/** The endpoints that runners call (contract actions.md 6). */
export function protocolRoutes({ actionsTasks, clock, messages, runnerConnections }: Services): Route[] {
  /** @throws Unauthorised */
  const caller = ({ request: { headers } }: Call): Runner =>
    runnerConnections.authenticate(headers.get("x-runner-uuid") ?? "", headers.get("x-runner-token") ?? "");
  return [
    procedureRoute({
      path: `${PING}/Ping`,
      input: PingRequestSchema,
      output: PingResponseSchema,
      messages,
      answer: ({ data }) => ({ data: `Hello, ${data}!` }),
    }),
    procedureRoute({
      path: `${RUNNER}/Register`,
      input: RegisterRequestSchema,
      output: RegisterResponseSchema,
      messages,
      answer: (message, call) => {
        const { agentLabels, capabilities, customLabels, ephemeral, name, version } = message;
        const labels = message.labels.length > 0 ? message.labels : [...agentLabels, ...customLabels];
        const registration = { name, token: message.token, version, labels, isEphemeral: ephemeral, capabilities };
        const { runner, token } = runnerConnections.register(registration, call.address);
        return { runner: { ...shown(runner), token, ephemeral: runner.isEphemeral } };
      },
    }),
    procedureRoute({
      path: `${RUNNER}/Declare`,
      input: DeclareRequestSchema,
      output: DeclareResponseSchema,
      messages,
      answer: (said, call) => {
        const runner = runnerConnections.declare(caller(call), said);
        // Server features beyond the protocol: step summaries.
        call.header("x-gitea-actions-capabilities", "job-summary");
        return { runner: shown(runner) };
      },
    }),
    procedureRoute({
      path: `${RUNNER}/FetchTask`,
      input: FetchTaskRequestSchema,
      output: FetchTaskResponseSchema,
      messages,
      answer: async ({ tasksVersion }, call) => {
        const runner = caller(call);
        // Read before looking for a job: a job that starts waiting meanwhile raises it.
        const version = BigInt(runnerConnections.taskVersion(runner));
        const task = tasksVersion === version ? undefined : await actionsTasks.claim(runner, call.request.signal);
        return { tasksVersion: version, ...(task ? { task: taskMessage(task) } : {}) };
      },
    }),
    procedureRoute({
      path: `${RUNNER}/UpdateTask`,
      input: UpdateTaskRequestSchema,
      output: UpdateTaskResponseSchema,
      messages,
      maxBytes: MAX_REPORT_BYTES,
      bound: boundedReport,
      answer: (message, call) => {
        const report = reportOf(message);
        const { sentOutputs, status } = actionsTasks.report(caller(call), report);
        return { state: { id: BigInt(report.taskId), result: wireResult(status) }, sentOutputs };
      },
    }),
    procedureRoute({
      path: `${RUNNER}/UpdateLog`,
      input: UpdateLogRequestSchema,
      output: UpdateLogResponseSchema,
      messages,
      maxBytes: MAX_LOG_BYTES,
      bound: firstRows,
      answer: async ({ index, noMore, rows, taskId }, call) => {
        const rowsGiven = {
          taskId: Number(taskId),
          index: Number(index),
          rows: logRows(rows, clock()),
          isLast: noMore,
        };
        return { ackIndex: BigInt(await actionsTasks.addRows(caller(call), rowsGiven)) };
      },
    }),
  ];
}

const shown = ({ id, labels, name, uuid, version }: Runner) => ({
  id: BigInt(id),
  uuid,
  name,
  version,
  labels: [...labels],
});
