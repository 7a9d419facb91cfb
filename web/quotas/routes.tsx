import { type Call, type Route, signedIn } from "../../src/http/route.ts";
import { ownAccount } from "../../src/identity/access.ts";
import { organizationOwner } from "../../src/organizations/access.ts";
import { seenOrganization } from "../../src/organizations/subject.ts";
import { UserSettings } from "../account/settings.tsx";
import type { WebServices } from "../area.ts";
import { organizationHref } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { OrganizationSettings } from "../organizations/settings.tsx";
import { organizationProps } from "../organizations/view.ts";
import { shellOf, show } from "../visit.ts";
import { quotaAdminPages } from "./admin-routes.tsx";
import { Storage } from "./storage.tsx";
import { storageHref } from "./storage-links.ts";

const PER_PAGE = 30;

/** Storage use of accounts, and its limits. */
export function quotaPages(services: WebServices): Route[] {
  const page = { method: "GET", surface: "page" } as const;
  return [
    { ...page, path: storageHref, access: ownAccount, handle: (call) => ownStorage(services, call) },
    {
      ...page,
      path: "/org/:org/settings/storage_overview",
      access: organizationOwner,
      handle: (call) => organizationStorage(services, call),
    },
    ...quotaAdminPages(services),
  ];
}

function ownStorage(services: WebServices, call: Call): Response {
  const { quotas } = services;
  const slice = pageOf(call, PER_PAGE);
  const { items, total } = quotas.filesOf(call.principal, signedIn(call), "attachments", slice);
  return show(
    call,
    <UserSettings shell={shellOf(services, call)} section="storage">
      <Storage
        quota={quotas.ofAccount(call.principal, signedIn(call))}
        isLimited={quotas.isEnabled}
        files={items}
        pages={{ page: slice.page, perPage: PER_PAGE, total, href: storageHref }}
      />
    </UserSettings>,
  );
}

function organizationStorage(services: WebServices, call: Call): Response {
  const { quotas } = services;
  const seen = seenOrganization(call);
  const slice = pageOf(call, PER_PAGE);
  const { items, total } = quotas.filesOfOrganization(seen, "attachments", slice);
  const href = organizationHref(seen.organization.login, "settings/storage_overview");
  return show(
    call,
    <OrganizationSettings shell={shellOf(services, call)} organization={organizationProps(seen)} section="storage">
      <Storage
        quota={quotas.ofOrganization(seen)}
        isLimited={quotas.isEnabled}
        files={items}
        pages={{ page: slice.page, perPage: PER_PAGE, total, href }}
      />
    </OrganizationSettings>,
  );
}
