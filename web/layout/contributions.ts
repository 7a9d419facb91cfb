/**
 * What areas add to the frames of other pages: tabs, sections, entries. Plain data, so that a frame need not know any
 * area.
 */
import type { Principal } from "../../src/access/principal.ts";
import type { Label } from "../../src/language/catalogue.ts";
import type { Services } from "../../src/services.ts";
import type { IconName } from "../components/icon.tsx";
import type { RepoFrameProps } from "./repo-frame.tsx";
import type { Viewer } from "./shell.tsx";

interface Entry {
  /** Unique among its kind; a page names the one it belongs to. */
  readonly id: string;
  readonly label: Label;
  readonly icon: IconName;
  /** Lower comes first; steps of 10 leave room for others. */
  readonly order: number;
}

/** A tab of every page of a repository. */
export interface RepoTab extends Entry {
  href(repo: RepoFrameProps): string;
  /** Absent: always. */
  shown?(repo: RepoFrameProps): boolean;
  /** The count beside it; absent or 0: none. */
  count?(repo: RepoFrameProps): number | undefined;
  /** Keys as the keyboard help shows them: `g b`. */
  readonly hotkey?: string;
  /** As `Tab.isSpare`. */
  readonly isSpare?: boolean;
}

/** A button beside a repository's name, as one viewer sees it: a form, and how many people have done it. */
export interface RepoAction {
  readonly id: string;
  readonly label: Label;
  readonly icon: IconName;
  /** Where its form posts to. Absent for visitors, who are sent to sign in, and when `href` is set. */
  readonly action?: string;
  /** A page to open instead of the form. */
  readonly href?: string;
  readonly count: number;
  /** The list of those who have done it, and the label of its link. */
  readonly list?: { readonly href: string; readonly label: Label };
}

/** A section of settings; `Of` is the subject: a repository, or nothing for the user's own account. */
export interface SettingsSection<Of = void> extends Entry {
  href(of: Of): string;
  shown?(of: Of): boolean;
}

/** The organization that a settings page is about. */
export interface SettingsOrganization {
  readonly name: string;
}

/** A tab of an organization's pages. */
export interface OrganizationPart extends Entry {
  href(organization: SettingsOrganization): string;
}

/** A page of the site administration. */
export interface AdminPage extends Entry {
  readonly href: string;
}

/**
 * A link in the header of every page. It depends only on the viewer and its count: a header is cached for all pages.
 */
export interface HeaderEntry extends Entry {
  /** Beside the site's name, as an icon at the right, or in the menu of the account. */
  readonly place: "start" | "end" | "account";
  readonly hotkey?: string;
  href(viewer: Viewer | null): string;
  shown?(viewer: Viewer | null): boolean;
  /**
   * The count for a signed-in user; called for every page, so it may only read one or two rows by an index. 0: none.
   */
  count?(services: Services, reader: Principal): number;
}

/** A tab of the explore pages. */
export interface ExploreTab extends Entry {
  readonly href: string;
}

/** Everything the areas contribute, in order. */
export interface Contributions {
  readonly header: readonly HeaderEntry[];
  readonly repoTabs: readonly RepoTab[];
  readonly repoSettings: readonly SettingsSection<RepoFrameProps>[];
  readonly userSettings: readonly SettingsSection[];
  readonly organizationSettings: readonly SettingsSection<SettingsOrganization>[];
  readonly organizationParts: readonly OrganizationPart[];
  readonly adminPages: readonly AdminPage[];
  readonly exploreTabs: readonly ExploreTab[];
}
