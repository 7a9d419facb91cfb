import { Type } from "@sinclair/typebox";
import { isSiteAdmin } from "../access/principal.ts";
import { disabled } from "../http/disabled.ts";
import { asks, lists, textParam } from "../http/query.ts";
import { json, page } from "../http/respond.ts";
import { type Call, type Route, signedIn } from "../http/route.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import { organizationOwner } from "../organizations/access.ts";
import { seenOrganization } from "../organizations/subject.ts";
import type { Services } from "../services.ts";
import { ownQuota } from "./access.ts";
import { quotaAdministrationRoutes } from "./administration-api.ts";
import type { HeldFile, HeldKind } from "./held-files.ts";
import { heldResource, heldResources, QuotaInfoResource, quotaResource } from "./resource.ts";
import type { AccountQuota } from "./service.ts";

/** Usage and limits of accounts over REST (contract identity.md 14). */
export function quotaRoutes(services: Services): Route[] {
  const { links, quotas } = services;
  const routes = [
    ...accountRoutes({
      path: "/api/v1/user/quota",
      access: ownQuota,
      tag: "user",
      ids: "user",
      whose: "the authenticated user",
      rootUrl: links.rootUrl,
      quota: (call) => quotas.ofAccount(call.principal, signedIn(call)),
      allows: (call, subject) => quotas.allowsNamed(signedIn(call), subject),
      files: (call, kind, paging) => quotas.filesOf(call.principal, signedIn(call), kind, paging),
    }),
    ...accountRoutes({
      path: "/api/v1/orgs/:org/quota",
      access: organizationOwner,
      tag: "organization",
      ids: "org",
      whose: "an organization",
      rootUrl: links.rootUrl,
      quota: (call) => quotas.ofOrganization(seenOrganization(call)),
      allows: (call, subject) => quotas.allowsNamed(seenOrganization(call).organization, subject),
      files: (call, kind, paging) => quotas.filesOfOrganization(seenOrganization(call), kind, paging),
    }),
    ...quotaAdministrationRoutes(services),
  ];
  return quotas.isEnabled ? routes : disabled(routes);
}

interface AccountRoutes extends Pick<Route, "access" | "path"> {
  readonly tag: string;
  /** The prefix of the operations' ids. */
  readonly ids: "user" | "org";
  readonly whose: string;
  readonly rootUrl: string;
  quota(call: Call): AccountQuota;
  allows(call: Call, subject: string): boolean;
  files(call: Call, kind: HeldKind, paging: Paging): Slice<HeldFile>;
}

const ofKind = {
  attachments: { id: "Attachments", what: "attachments" },
  artifacts: { id: "Artifacts", what: "artifacts" },
  packages: { id: "Packages", what: "packages" },
} as const satisfies Record<HeldKind, unknown>;

function accountRoutes({ path, access, tag, ids, whose, rootUrl, quota, allows, files }: AccountRoutes): Route[] {
  const route = { method: "GET", surface: "api", access } as const;
  const params = ids === "org" ? { params: { org: "Name of the organization." } } : {};
  const list = (kind: HeldKind): Route => ({
    ...route,
    path: `${path}/${kind}`,
    doc: {
      id: `${ids}ListQuota${ofKind[kind].id}`,
      tag,
      summary: `List the ${ofKind[kind].what} that count towards the quota of ${whose}`,
      ...params,
      answers: { 200: { description: "A page of them.", schema: Type.Array(heldResources[kind]) } },
    },
    ...lists({}, (call) => {
      const { items, total } = files(call, kind, call.paging);
      return page(
        items.map((file) => heldResource(kind, file)),
        total,
        { rootUrl, ...call },
      );
    }),
  });
  return [
    {
      ...route,
      path,
      doc: {
        id: `${ids}GetQuota`,
        tag,
        summary: `Get the quota of ${whose}`,
        ...params,
        answers: { 200: { description: "What the account uses and may use.", schema: QuotaInfoResource } },
      },
      handle: (call) => json(quotaResource(quota(call), isSiteAdmin(call.principal))),
    },
    {
      ...route,
      path: `${path}/check`,
      doc: {
        id: `${ids}CheckQuota`,
        tag,
        summary: `Check whether ${whose} may store more of a subject`,
        ...params,
        answers: {
          200: { description: "Whether more may be stored.", schema: Type.Boolean() },
          422: { description: "There is no such subject." },
        },
      },
      ...asks({ subject: textParam("The subject, such as `size:all`.") }, (call, { subject }) =>
        json(allows(call, subject)),
      ),
    },
    list("attachments"),
    list("artifacts"),
    list("packages"),
  ];
}
