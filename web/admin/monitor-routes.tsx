import { administersBackground } from "../../src/admin/access.ts";
import { disposition } from "../../src/http/file-answer.ts";
import { redirect } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import type { WebServices } from "../area.ts";
import { shellOf, show, showPart } from "../visit.ts";
import { BACKGROUND } from "./background.tsx";
import { DIAGNOSIS, MONITOR, MONITOR_PART, MonitorPage, MonitorPart } from "./monitor.tsx";

/** URLs in other forges of the same family for what is on one page here (contract web.md 1.12). */
const ELSEWHERE = [
  ["/-/admin/monitor", MONITOR],
  ["/-/admin/monitor/stacktrace", MONITOR],
  ["/-/admin/monitor/perftrace", MONITOR],
  ["/-/admin/monitor/queue", BACKGROUND],
  ["/-/admin/monitor/queue/:id", BACKGROUND],
  ["/-/admin/config/settings", "/-/admin/config"],
] as const;

/** What the server is doing: requests, threads, memory. */
export function monitorPages(services: WebServices): Route[] {
  const page = { method: "GET", surface: "page", access: administersBackground } as const;
  return [
    {
      ...page,
      path: MONITOR,
      handle: (call) =>
        show(call, <MonitorPage shell={shellOf(services, call)} now={services.monitor.show(call.principal)} />),
    },
    {
      ...page,
      path: MONITOR_PART,
      handle: (call) => showPart(call, <MonitorPart now={services.monitor.show(call.principal)} />),
    },
    { ...page, path: DIAGNOSIS, handle: (call) => diagnosis(services, call) },
    ...ELSEWHERE.map(([path, there]): Route => ({ ...page, path, handle: () => redirect(there) })),
  ];
}

async function diagnosis(services: WebServices, call: Call): Promise<Response> {
  const zip = await services.diagnosis.zip(call.principal, call.request.headers.get("host") ?? "");
  return new Response(zip, {
    headers: {
      "content-type": "application/zip",
      "content-disposition": disposition("hearth-diagnosis.zip", "attachment"),
      "cache-control": "no-store",
    },
  });
}
