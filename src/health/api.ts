import { json } from "../http/respond.ts";
import type { Route } from "../http/route.ts";
import { rfc3339 } from "../kernel/clock.ts";
import type { Services } from "../services.ts";
import { API_VERSION } from "../version.ts";
import { VersionResource } from "./resource.ts";

/** The endpoints that health probes request, from the first moment and all the time. */
export function healthRoutes({ clock, config, health, ssh }: Services): Route[] {
  const version = { version: API_VERSION };
  const hasSsh = config["ssh.listen"] !== "";
  return [
    {
      method: "GET",
      path: "/api/v1/version",
      surface: "api",
      access: { who: "anyone", scopes: [], publicOnly: "filtered" },
      doc: {
        id: "getVersion",
        tag: "miscellaneous",
        summary: "Get the server's version",
        answers: { 200: { description: "The version.", schema: VersionResource } },
      },
      handle: () => json(version),
    },
    {
      method: "GET",
      path: "/api/healthz",
      surface: "open",
      access: { who: "anyone", scopes: [], publicOnly: "filtered", beforeSignIn: true },
      handle: () => {
        const time = rfc3339(clock());
        let status = "pass";
        try {
          health.checkDatabase();
        } catch {
          status = "fail";
        }
        const checks: Record<string, { status: string; time: string }[]> = {
          "cache:ping": [{ status: "pass", time }],
          "database:ping": [{ status, time }],
        };
        // Pages and REST work without SSH: a health check must not make them unavailable.
        const isMissing = hasSsh && ssh.state.state === "failed";
        if (hasSsh) checks["ssh:listening"] = [{ status: isMissing ? "fail" : "pass", time }];
        return json(
          { status: isMissing && status === "pass" ? "warn" : status, description: config.name, checks },
          status === "pass" ? 200 : 503,
          { "content-type": "application/json" },
        );
      },
    },
  ];
}
