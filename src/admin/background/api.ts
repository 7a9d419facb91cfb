import { Type } from "@sinclair/typebox";
import { time, whole } from "../../http/fields.ts";
import { lists } from "../../http/query.ts";
import { counted, noContent } from "../../http/respond.ts";
import { param, type Route } from "../../http/route.ts";
import type { ScheduleInfo } from "../../jobs/schedules.ts";
import { rfc3339, ZERO_TIME } from "../../kernel/clock.ts";
import type { Services } from "../../services.ts";
import { administersBackground } from "../access.ts";
import { inContractOrder } from "./task-order.ts";

export const CronResource = Type.Object(
  {
    name: Type.String({ description: "Name of the task." }),
    schedule: Type.String({ description: "When it runs, as a cron expression." }),
    next: time("When it runs next; the year 1 if never."),
    prev: time("When it last ran; the year 1 if never."),
    exec_times: whole("How often it has run."),
  },
  { $id: "Cron", description: "A task that runs at set times." },
);

/** `/admin/cron`: scheduled tasks (contract identity.md 15.2). */
export function cronRoutes({ background }: Services): Route[] {
  const route = { surface: "api", access: administersBackground } as const;
  return [
    {
      ...route,
      method: "GET",
      path: "/api/v1/admin/cron",
      doc: {
        id: "adminCronList",
        tag: "admin",
        summary: "List cron tasks",
        answers: {
          200: {
            description: "A page of tasks; those specific to Hearth come last.",
            schema: Type.Array(CronResource),
          },
        },
      },
      ...lists({}, async ({ principal, paging: { offset, limit } }) => {
        const all = inContractOrder(await background.listSchedules(principal));
        return counted(all.slice(offset, offset + limit).map(cronResource), all.length);
      }),
    },
    {
      ...route,
      method: "POST",
      path: "/api/v1/admin/cron/:task",
      doc: {
        id: "adminCronRun",
        tag: "admin",
        summary: "Run a cron task",
        params: { task: "Name of the task." },
        answers: {
          204: { description: "The task was started." },
          404: { description: "There is no such task." },
        },
      },
      handle: (call) => {
        background.runSchedule(call.principal, param(call, "task"));
        return noContent();
      },
    },
  ];
}

function cronResource({ name, cron, nextRunAt, lastRunAt, runs }: ScheduleInfo) {
  const shown = (at: number | undefined) => (at === undefined ? ZERO_TIME : rfc3339(at));
  return { name, schedule: cron, next: shown(nextRunAt), prev: shown(lastRunAt), exec_times: runs };
}
