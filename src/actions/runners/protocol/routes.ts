import type { Call, Route } from "../../../http/route.ts";
import type { Services } from "../../../services.ts";
import type { Runner } from "../../types.ts";
import { procedureRoute } from "./connect.ts";
import { PingRequestSchema, PingResponseSchema } from "./ping_pb.ts";
import {
  DeclareRequestSchema,
  DeclareResponseSchema,
  FetchTaskRequestSchema,
  FetchTaskResponseSchema,
  RegisterRequestSchema,
  RegisterResponseSchema,
} from "./runner_pb.ts";

const PING = "/api/actions/ping.v1.PingService";
const RUNNER = "/api/actions/runner.v1.RunnerService";

/** What runners call (contract actions.md 6). */
export function protocolRoutes({ messages, runnerConnections }: Services): Route[] {
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
      answer: (said, call) => ({ runner: shown(runnerConnections.declare(caller(call), said)) }),
    }),
    procedureRoute({
      path: `${RUNNER}/FetchTask`,
      input: FetchTaskRequestSchema,
      output: FetchTaskResponseSchema,
      messages,
      answer: (_, call) => ({ tasksVersion: BigInt(runnerConnections.taskVersion(caller(call))) }),
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
