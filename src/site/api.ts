import { json } from "../http/respond.ts";
import type { Access, Route } from "../http/route.ts";
import { rfc3339 } from "../kernel/clock.ts";
import { NotFound } from "../kernel/errors.ts";
import type { Services } from "../services.ts";
import { API_VERSION } from "../version.ts";
import { nodeInfoRoutes } from "./nodeinfo/api.ts";
import { renderingRoutes } from "./rendering/api.ts";
import { VersionResource } from "./resource.ts";
import { settingsRoutes } from "./settings/api.ts";
import { templateRoutes } from "./templates/api.ts";

const open: Access = { who: "anyone", scopes: [], publicOnly: "filtered" };

/** What the server says of itself. */
export function siteRoutes(services: Services): Route[] {
  return [
    ...aboutRoutes(services),
    ...settingsRoutes(services),
    ...templateRoutes(services),
    ...nodeInfoRoutes(services),
    ...renderingRoutes(services),
    ...signingKeyRoutes(),
  ];
}

/** Commits made by the server are not signed yet, so there is no key to show, for the site or one repository. */
function signingKeyRoutes(): Route[] {
  const readable: Access = {
    who: "anyone",
    subject: { kind: "repository", level: "read" },
    scopes: ["repository"],
    publicOnly: "filtered",
  };
  const key = (path: string, id: string, summary: string, access: Access): Route => ({
    method: "GET",
    path: `/api/v1${path}`,
    surface: "api",
    access,
    doc: {
      id,
      tag: access.subject ? "repository" : "miscellaneous",
      summary,
      answers: { 404: { description: "The server signs nothing." } },
    },
    handle: () => {
      throw new NotFound("site.no-signing-key");
    },
  });
  const repo = "/repos/:owner/:repo";
  return [
    key("/signing-key.gpg", "getSigningKey", "The OpenPGP key the server signs commits with", open),
    key("/signing-key.pub", "getSigningKeySSH", "The SSH key the server signs commits with", open),
    key(
      `${repo}/signing-key.gpg`,
      "repoSigningKey",
      "The OpenPGP key commits of a repository are signed with",
      readable,
    ),
    key(
      `${repo}/signing-key.pub`,
      "repoSigningKeySSH",
      "The SSH key commits of a repository are signed with",
      readable,
    ),
  ];
}

function aboutRoutes({ clock, config, health }: Services): Route[] {
  const version = { version: API_VERSION };
  return [
    {
      method: "GET",
      path: "/api/v1/version",
      surface: "api",
      access: open,
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
      access: { ...open, beforeSignIn: true },
      handle: () => {
        const time = rfc3339(clock());
        let status = "pass";
        try {
          health.checkDatabase();
        } catch {
          status = "fail";
        }
        const check = [{ status, time }];
        return json(
          {
            status,
            description: config.name,
            checks: { "cache:ping": [{ status: "pass", time }], "database:ping": check },
          },
          status === "pass" ? 200 : 503,
          { "content-type": "application/json" },
        );
      },
    },
  ];
}
