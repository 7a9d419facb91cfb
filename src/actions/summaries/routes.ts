import { readBody } from "../../http/body.ts";
import { json } from "../../http/respond.ts";
import { param, type Route } from "../../http/route.ts";
import { BadRequest, TooLarge } from "../../kernel/errors.ts";
import type { Services } from "../../services.ts";
import { jobRoute } from "../artifacts/job-route.ts";
import { MAX_SUMMARY_BYTES } from "./service.ts";

const TYPES = new Set(["", "text/markdown", "application/octet-stream"]);

/** Where runners upload step summaries (contract actions.md 7.4). */
export function summaryRoutes(services: Services): Route[] {
  const { actionsSummaries } = services;
  return [
    jobRoute(services, {
      method: "PUT",
      path: "/api/actions_pipeline/_apis/pipelines/workflows/:run/jobs/:job/steps/:step/summary",
      handle: async (call, job) => {
        if (param(call, "job") !== String(job.jobId)) throw new BadRequest("actions.other-job");
        const step = param(call, "step");
        if (!/^\d{1,6}$/.test(step)) throw new BadRequest("actions.no-such-step");
        const type = call.request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
        if (!TYPES.has(type)) throw new BadRequest("actions.summary-type");
        const bytes = await readBody(call, MAX_SUMMARY_BYTES).catch((error: unknown) => {
          if (error instanceof TooLarge)
            throw new BadRequest("actions.summary-too-large", { params: { max: MAX_SUMMARY_BYTES } });
          throw error;
        });
        actionsSummaries.put(job, Number(step), new TextDecoder().decode(bytes));
        const message = bytes.byteLength === 0 ? "cleared" : "success";
        return json({ message, sizeBytes: bytes.byteLength, runAttempt: job.attempt });
      },
    }),
  ];
}
