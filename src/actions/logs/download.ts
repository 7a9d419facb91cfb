import { disposition } from "../../http/file-answer.ts";
import { NotFound } from "../../kernel/errors.ts";
import type { ListedJob } from "../runs/types.ts";
import type { LogService } from "./service.ts";

/** Streams the log of a job as a file. @throws NotFound if no runner has taken the job yet, or the log is gone */
export function logDownload(logs: LogService, job: ListedJob): Response {
  const { taskId } = job;
  if (taskId === undefined) throw new NotFound("actions.job-not-started");
  if (job.isLogGone) throw new NotFound("actions.log-gone");
  return new Response(logs.text({ id: taskId }), {
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": disposition(logName(job, taskId), "attachment"),
      "x-content-type-options": "nosniff",
    },
  });
}

/** `build-test (x, 1)-31.log` */
function logName({ name, workflow }: Pick<ListedJob, "name" | "workflow">, taskId: number): string {
  const file =
    workflow
      .split("/")
      .at(-1)
      ?.replace(/\.ya?ml$/, "") ?? "";
  return `${file}-${name}-${taskId}.log`.replaceAll("/", "-");
}
