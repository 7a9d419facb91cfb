import { operator } from "../../src/access/principal.ts";
import { textOption, UsageError } from "../arguments.ts";
import { withServices } from "../data.ts";
import type { Command } from "../dispatch.ts";
import { say } from "../language.ts";

const STATES = ["waiting", "running", "done", "failed", "cancelled"] as const;
const MAX_LINES = 50;

/** `hearth admin background list`: the newest jobs, and those that failed. */
export const listBackgroundCommand: Command = {
  name: "admin background list",
  doc: "help-background",
  options: [{ flags: "--state <state>", doc: "help-background-state" }],
  run: (options) => {
    const asked = textOption(options, "state");
    const state = STATES.find((one) => one === asked);
    if (asked !== undefined && !state)
      throw new UsageError(say("mustBeOneOf", { name: "state", values: STATES.join(", ") }));
    return withServices(options, ({ background }) => {
      const paging = { page: 1, limit: MAX_LINES, offset: 0 };
      for (const job of background.listJobs(operator, state, paging).items)
        console.log(`job ${job.id} ${job.kind} ${job.state}${job.lastError ? `: ${oneLine(job.lastError)}` : ""}`);
      if (state !== undefined) return;
      for (const { consumer, event, error } of background.listSetAside(operator, paging).items)
        console.log(`event ${event.id} ${event.kind} set aside by ${consumer}: ${oneLine(error)}`);
    });
  },
};

/** Errors may hold any text: it must not move the cursor or fill the screen. */
function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ").slice(0, 200);
}
