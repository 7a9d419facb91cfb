import { type Static, Type } from "@sinclair/typebox";
import { text, whole, yesNo } from "../../http/fields.ts";
import type { Runner } from "../types.ts";
import type { RunnerService } from "./service.ts";

const LabelResource = Type.Object(
  {
    id: whole("Its place among the runner's labels, from 0."),
    name: text("What a job's `runs-on` names."),
    type: text("Always `custom`."),
  },
  { $id: "ActionRunnerLabel", description: "A label of a runner." },
);

export const RunnerResource = Type.Object(
  {
    id: whole("Number of the runner."),
    name: text("What it called itself when it registered."),
    status: text("`online` when it called within the last minute, else `offline`."),
    busy: yesNo("Whether it is running a job."),
    disabled: yesNo("Whether it gets no jobs."),
    ephemeral: yesNo("Whether it runs one job and is removed."),
    labels: Type.Array(LabelResource, { description: "What it said it can run." }),
  },
  { $id: "ActionRunner", description: "A program that runs jobs." },
);
export type RunnerResource = Static<typeof RunnerResource>;

export const RunnersResource = Type.Object(
  {
    runners: Type.Array(RunnerResource, { description: "Those of this page." }),
    total_count: whole("How many there are on all pages."),
  },
  { $id: "ActionRunnersResponse", description: "A page of runners." },
);

export const RegistrationTokenResource = Type.Object(
  { token: text("What a runner shows when it registers.") },
  { $id: "RegistrationToken", description: "The registration token that is in use." },
);

export function runnerResource(runners: RunnerService, runner: Runner): RunnerResource {
  const state = runners.stateOf(runner);
  return {
    id: runner.id,
    name: runner.name,
    status: state === "offline" ? "offline" : "online",
    busy: state === "busy",
    disabled: runner.isDisabled,
    ephemeral: runner.isEphemeral,
    labels: runner.labels.map((name, id) => ({ id, name, type: "custom" })),
  };
}
