/** Places whose settings share pages: a repository, an organization, the user's own account and the site. */
import type { Call } from "../src/http/route.ts";
import { seenOrganization } from "../src/organizations/subject.ts";
import { seenRepo } from "../src/repos/subject.ts";
import { UserSettings } from "./account/settings.tsx";
import { AdminFrame } from "./admin/admin-frame.tsx";
import type { WebServices } from "./area.ts";
import type { Children } from "./jsx/types.ts";
import type { RepoFrameProps } from "./layout/repo-frame.tsx";
import type { Shell } from "./layout/shell.tsx";
import { organizationHref } from "./links.ts";
import type { OrganizationProps } from "./organizations/frame.tsx";
import { OrganizationSettings } from "./organizations/settings.tsx";
import { organizationProps } from "./organizations/view.ts";
import { homeOf, repoFrame } from "./repos/frame.ts";
import { RepoSettings } from "./repos/settings-frame.tsx";
import { shellOf } from "./visit.ts";

/** The subject whose settings a page belongs to. */
export type PlaceOf =
  | { readonly kind: "repository"; readonly repo: RepoFrameProps }
  | { readonly kind: "organization"; readonly organization: OrganizationProps }
  | { readonly kind: "account" }
  | { readonly kind: "site" };

export interface PlaceProps {
  readonly shell: Shell;
  readonly of: PlaceOf;
  /** The URL of the list; the other pages are below it. */
  readonly base: string;
}

/** Where the settings pages of one kind of place are. */
interface PlaceRoutes {
  /** As a route pattern: `/org/:org/settings`. */
  readonly path: string;
  /** The concrete path for a request. */
  base(call: Call): string;
  of(services: WebServices, call: Call): PlaceOf | Promise<PlaceOf>;
}

export const settingsPlaces = {
  repository: {
    path: "/:owner/:repo/settings",
    base: (call) => homeOf(seenRepo(call), "settings"),
    of: async (services, call) => ({ kind: "repository", repo: await repoFrame(services, seenRepo(call)) }),
  },
  organization: {
    path: "/org/:org/settings",
    base: (call) => organizationHref(seenOrganization(call).organization.login, "settings"),
    of: (_, call) => ({ kind: "organization", organization: organizationProps(seenOrganization(call)) }),
  },
  account: { path: "/user/settings", base: () => "/user/settings", of: () => ({ kind: "account" }) },
  site: { path: "/-/admin", base: () => "/-/admin", of: () => ({ kind: "site" }) },
} as const satisfies Readonly<Record<PlaceOf["kind"], PlaceRoutes>>;

/** @param sub path of the list below the settings: `hooks` */
export async function placeProps(
  services: WebServices,
  kind: PlaceOf["kind"],
  call: Call,
  sub: string,
): Promise<PlaceProps> {
  const place: PlaceRoutes = settingsPlaces[kind];
  return {
    shell: shellOf(services, call),
    of: await place.of(services, call),
    base: `${place.base(call)}/${sub}`,
  };
}

/** A settings page in any of these places. @param section its id in every settings menu */
export function PlaceFrame(props: { place: PlaceProps; section: string; title: string; children: Children }) {
  const { children, place, section, title } = props;
  const { of, shell } = place;
  switch (of.kind) {
    case "repository":
      return (
        <RepoSettings shell={shell} repo={of.repo} section={section} title={title}>
          {children}
        </RepoSettings>
      );
    case "organization":
      return (
        <OrganizationSettings shell={shell} organization={of.organization} section={section}>
          {children}
        </OrganizationSettings>
      );
    case "account":
      return (
        <UserSettings shell={shell} section={section}>
          {children}
        </UserSettings>
      );
    case "site":
      return (
        <AdminFrame shell={shell} page={section} title={title}>
          {children}
        </AdminFrame>
      );
  }
}
