import { type Static, Type } from "@sinclair/typebox";
import { text, whole, yesNo } from "../../http/fields.ts";
import type { Runner } from "../types.ts";
import type { RunnerService } from "./service.ts";

const LabelResource = Type.Object(
  {
    id: whole("Its position among the runner's labels, from 0."),
    name: text("The label as in a job's `runs-on`."),
    type: text("Always `custom`."),
  },
  { $id: "ActionRunnerLabel", description: "A label of a runner." },
);

export const RunnerResource = Type.Object(
  {
    id: whole("Number of the runner."),
    name: text("The name it registered with."),
    status: text("`online` if it called within the last minute, otherwise `offline`."),
    busy: yesNo("Whether it is running a job."),
    disabled: yesNo("Whether it is disabled and gets no jobs."),
    ephemeral: yesNo("Whether it runs one job and is then removed."),
    labels: Type.Array(LabelResource, { description: "The labels it registered." }),
  },
  { $id: "ActionRunner", description: "A program that runs jobs." },
);
export type RunnerResource = Static<typeof RunnerResource>;

export const RunnersResource = Type.Object(
  {
    runners: Type.Array(RunnerResource, { description: "The items on this page." }),
    total_count: whole("The total number on all pages."),
  },
  { $id: "ActionRunnersResponse", description: "A page of runners." },
);

export const RegistrationTokenResource = Type.Object(
  { token: text("The token a runner registers with.") },
  { $id: "RegistrationToken", description: "The current registration token." },
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
