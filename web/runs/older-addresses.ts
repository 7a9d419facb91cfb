import { redirect } from "../../src/http/respond.ts";
import { type Call, idParam } from "../../src/http/route.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import { jobHref, runHref } from "./run-routes.tsx";

/**
 * Redirects older URLs, which name a run by its number in the repository and a job by its index in the run, to the
 * current ones (contract actions.md 9). undefined: not such a URL
 */
export function fromOlderAddress({ actionsRunLists }: WebServices, call: Call): Response | undefined {
  if (call.params["run"] === "latest") return undefined;
  const seen = seenRepo(call);
  const run = actionsRunLists.numbered(seen, idParam(call, "run"));
  if (!run) return undefined;
  if (call.params["job"] === undefined) return redirect(runHref({ seen, run }));
  const job = actionsRunLists.jobs(run, run.attempt)[idParam(call, "job")];
  return job && redirect(jobHref({ seen, run }, job.id));
}
