import { operator } from "../../src/access/principal.ts";
import { UsageError } from "../arguments.ts";
import { withServices } from "../data.ts";
import type { Command } from "../dispatch.ts";
import { say } from "../language.ts";
import { aligned } from "../output.ts";

const shown = (at: number | undefined) => (at === undefined ? "-" : new Date(at).toISOString());

/** `hearth admin schedule list`. */
const listCommand: Command = {
  name: "admin schedule list",
  doc: "help-schedule-list",
  options: [],
  run: (options) =>
    withServices(options, async ({ background }) => {
      const rows = (await background.listSchedules(operator)).map(({ name, cron, nextRunAt, lastRunAt, runs }) => [
        name,
        cron,
        shown(nextRunAt),
        shown(lastRunAt),
        String(runs),
      ]);
      for (const line of aligned([["Name", "Times", "Next", "Last", "Runs"], ...rows])) console.log(line);
    }),
};

/** `hearth admin schedule run <name>`: the server runs it within a minute, or when it starts. */
const runCommand: Command = {
  name: "admin schedule run",
  positional: "<name>",
  doc: "help-schedule-run",
  options: [],
  run: (options, [name]) => {
    if (!name) throw new UsageError(say("required", { name: "name" }));
    return withServices(options, ({ background }) => {
      background.runSchedule(operator, name);
      console.log(say("scheduleRequested", { name }));
    });
  },
};

export const scheduleCommands: readonly Command[] = [listCommand, runCommand];
