import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  DeclareRequestSchema,
  DeclareResponseSchema,
  FetchTaskRequestSchema,
  FetchTaskResponseSchema,
  RegisterRequestSchema,
  RegisterResponseSchema,
  Result,
  type Task,
  TaskStateSchema,
  UpdateLogRequestSchema,
  UpdateLogResponseSchema,
  UpdateTaskRequestSchema,
  UpdateTaskResponseSchema,
} from "../../../src/actions/runners/protocol/runner_pb.ts";
import type { JsonObject } from "../../../src/kernel/json.ts";
import type { TestServer } from "../../builders.ts";

/** A runner that speaks the real protocol, in its binary form, and does no work but what a test tells it to. */
export interface MadeRunner {
  readonly id: number;
  readonly uuid: string;
  readonly token: string;
  fetch(tasksVersion?: number): Promise<{ readonly task: GivenJob | undefined; readonly version: number }>;
  /** The job that it must be able to have now. */
  take(): Promise<GivenJob>;
  update(
    job: Pick<GivenJob, "id">,
    state?: Saying,
    outputs?: Record<string, string>,
  ): Promise<MessageShape<typeof UpdateTaskResponseSchema>>;
  finish(job: Pick<GivenJob, "id">, result?: Result, outputs?: Record<string, string>): Promise<Result>;
  /** @returns how many rows the server has */
  log(job: Pick<GivenJob, "id">, index: number, lines: readonly string[], isLast?: boolean): Promise<number>;
  declare(labels: readonly string[], capabilities?: readonly string[]): Promise<void>;
}

export interface GivenJob {
  readonly id: number;
  readonly payload: string;
  readonly context: JsonObject;
  readonly secrets: Readonly<Record<string, string>>;
  readonly vars: Readonly<Record<string, string>>;
  readonly needs: Task["needs"];
  readonly token: string;
  readonly runtimeToken: string;
  readonly runId: number;
  readonly key: string;
}

/** What a runner says of its task. */
export type Saying = Omit<MessageInitShape<typeof TaskStateSchema>, "$typeName" | "$unknown" | "id">;

/** What the server refused: its code and message. */
export class RunnerRefused extends Error {
  override name = "RunnerRefused";
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export interface RunnerRequest {
  /** A registration token. */
  readonly token: string;
  readonly labels?: readonly string[];
  readonly capabilities?: readonly string[];
  readonly ephemeral?: boolean;
}

export async function aMadeRunner(server: TestServer, request: RunnerRequest): Promise<MadeRunner> {
  const { capabilities = [], ephemeral = false, labels = ["self"], token } = request;
  const registration = {
    name: "made",
    token,
    version: "v1",
    labels: [...labels],
    capabilities: [...capabilities],
    ephemeral,
  };
  const { runner } = await ask(server, "Register", RegisterRequestSchema, RegisterResponseSchema, registration, {});
  if (!runner) throw new Error("a registered runner is told who it is");
  const headers = { "x-runner-uuid": runner.uuid, "x-runner-token": runner.token };
  const update: MadeRunner["update"] = (job, state = {}, outputs = {}) =>
    ask(
      server,
      "UpdateTask",
      UpdateTaskRequestSchema,
      UpdateTaskResponseSchema,
      { state: create(TaskStateSchema, { ...state, id: BigInt(job.id) }), outputs },
      headers,
    );
  const fetchTask: MadeRunner["fetch"] = async (tasksVersion = 0) => {
    const message = { tasksVersion: BigInt(tasksVersion) };
    const answer = await ask(server, "FetchTask", FetchTaskRequestSchema, FetchTaskResponseSchema, message, headers);
    return { task: answer.task && givenJob(answer.task), version: Number(answer.tasksVersion) };
  };
  return {
    id: Number(runner.id),
    uuid: runner.uuid,
    token: runner.token,
    fetch: fetchTask,
    take: async () => {
      const { task } = await fetchTask();
      if (!task) throw new Error("there is no job for the runner");
      return task;
    },
    update,
    finish: async (job, result = Result.SUCCESS, outputs = {}) => {
      const stoppedAt = timestampFromMs(Date.now());
      return (await update(job, { result, stoppedAt }, outputs)).state?.result ?? Result.UNSPECIFIED;
    },
    log: async (job, index, lines, noMore = false) => {
      const rows = lines.map((content) => ({ time: timestampFromMs(Date.UTC(2026, 0, 2, 3, 4, 5)), content }));
      const message = { taskId: BigInt(job.id), index: BigInt(index), rows, noMore };
      return Number(
        (await ask(server, "UpdateLog", UpdateLogRequestSchema, UpdateLogResponseSchema, message, headers)).ackIndex,
      );
    },
    declare: async (declared, able = []) => {
      const message = { version: "v1", labels: [...declared], capabilities: [...able] };
      await ask(server, "Declare", DeclareRequestSchema, DeclareResponseSchema, message, headers);
    },
  };
}

function givenJob({ context, id, needs, secrets, vars, workflowPayload }: Task): GivenJob {
  const facts = (context ?? {}) as JsonObject;
  return {
    id: Number(id),
    payload: new TextDecoder().decode(workflowPayload),
    context: facts,
    secrets,
    vars,
    needs,
    token: String(facts["token"]),
    runtimeToken: String(facts["gitea_runtime_token"]),
    runId: Number(facts["run_id"]),
    key: String(facts["job"]),
  };
}

async function ask<Input extends DescMessage, Output extends DescMessage>(
  server: TestServer,
  method: string,
  input: Input,
  output: Output,
  message: MessageInitShape<Input>,
  headers: Readonly<Record<string, string>>,
): Promise<MessageShape<Output>> {
  const answer = await fetch(`${server.url}api/actions/runner.v1.RunnerService/${method}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/proto" },
    body: new Uint8Array(toBinary(input, create(input, message))),
  });
  if (answer.status === 200) return fromBinary(output, new Uint8Array(await answer.arrayBuffer()));
  const { code, message: words } = (await answer.json()) as { code: string; message: string };
  throw new RunnerRefused(answer.status, code, words);
}
