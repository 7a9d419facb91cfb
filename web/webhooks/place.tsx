/** Where webhooks are shown: in the settings of a repository, an organization, an account, and of the site. */
import type { HookLevel } from "../../src/webhooks/types.ts";
import { UserSettings } from "../account/settings.tsx";
import { AdminFrame } from "../admin/admin-frame.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import type { OrganizationProps } from "../organizations/frame.tsx";
import { OrganizationSettings } from "../organizations/settings.tsx";
import { RepoSettings } from "../repos/settings-frame.tsx";
import { webhooksWords } from "./words/index.ts";

/** The things whose settings a page of webhooks stands in. */
export type PlaceOf =
  | { readonly kind: "repository"; readonly repo: RepoFrameProps }
  | { readonly kind: "organization"; readonly organization: OrganizationProps }
  | { readonly kind: "account" }
  | { readonly kind: "site" };

export interface HookPlaceProps {
  readonly shell: Shell;
  readonly of: PlaceOf;
  /** Where the list is; the other pages are below it. */
  readonly base: string;
}

/** The id of the section in every menu of settings. */
const SECTION = "hooks";

export function HookFrame({ place, children }: { place: HookPlaceProps; children: Children }) {
  const t = useWords(webhooksWords);
  const { of, shell } = place;
  switch (of.kind) {
    case "repository":
      return (
        <RepoSettings shell={shell} repo={of.repo} section={SECTION} title={t("webhooks")}>
          {children}
        </RepoSettings>
      );
    case "organization":
      return (
        <OrganizationSettings shell={shell} organization={of.organization} section={SECTION}>
          {children}
        </OrganizationSettings>
      );
    case "account":
      return (
        <UserSettings shell={shell} section={SECTION}>
          {children}
        </UserSettings>
      );
    case "site":
      return (
        <AdminFrame shell={shell} page={SECTION} title={t("webhooks")}>
          {children}
        </AdminFrame>
      );
  }
}

/** Where new webhooks of a level are made; those of the site have an address for each. */
export function newHref({ base, of }: HookPlaceProps, level: HookLevel, type: string): string {
  return of.kind === "site" ? `/-/admin/${level}-hooks/${type}/new` : `${base}/${type}/new`;
}
