import { administersBackground } from "../../src/admin/access.ts";
import { redirect } from "../../src/http/respond.ts";
import type { Route } from "../../src/http/route.ts";
import type { WebServices } from "../area.ts";
import { shellOf, show, showPart } from "../visit.ts";
import { BACKGROUND } from "./background.tsx";
import { MONITOR, MONITOR_PART, MonitorPage, MonitorPart } from "./monitor.tsx";

/** Where forges of the dialect have what stands on one page here (contract web.md 1.12). */
const ELSEWHERE = [
  ["/-/admin/monitor", MONITOR],
  ["/-/admin/monitor/stacktrace", MONITOR],
  ["/-/admin/monitor/perftrace", MONITOR],
  ["/-/admin/monitor/queue", BACKGROUND],
  ["/-/admin/config/settings", "/-/admin/config"],
] as const;

/** What the server does now: requests, threads, memory. */
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
    ...ELSEWHERE.map(([path, there]): Route => ({ ...page, path, handle: () => redirect(there) })),
  ];
}
