import type { User, UserKind } from "../src/access/user.ts";
import type { Config } from "../src/config/schema.ts";
import type { Comparison } from "../src/content/compare/service.ts";
import type { FileEntry } from "../src/content/files/entry.ts";
import type { Call, Route } from "../src/http/route.ts";
import type { TimelineEntry, TimelineKind } from "../src/issues/timeline/types.ts";
import type { SeenIssue } from "../src/issues/types.ts";
import type { Label } from "../src/language/catalogue.ts";
import type { SeenPull } from "../src/pulls/types.ts";
import type { SeenRepo } from "../src/repos/types.ts";
import type { Services } from "../src/services.ts";
import type { IconName } from "./components/icon.tsx";
import type { EntryPart } from "./conversation/entries.ts";
import type { ConversationTexts } from "./conversation/texts.ts";
import type { FindPushed } from "./home/activity-items.ts";
import { pushedCommits } from "./home/pushed-commits.ts";
import type { Children } from "./jsx/types.ts";
import type {
  AdminPage,
  Contributions,
  ExploreTab,
  HeaderEntry,
  OrganizationPart,
  RepoAction,
  RepoTab,
  SettingsOrganization,
  SettingsSection,
} from "./layout/contributions.ts";
import type { RepoFrameProps } from "./layout/repo-frame.tsx";
import { RefFacts } from "./repos/ref-facts.ts";

/** Everything pages are built from: the services, and what every page shows of them. */
export interface WebServices extends Services {
  readonly contributions: Contributions;
  readonly panels: readonly DashboardPanel[];
  readonly settingsPanels: readonly SettingsPanel[];
  readonly repoActions: readonly RepoActionSource[];
  readonly comparisons: readonly ComparisonPart[];
  readonly fileNotes: readonly FileNote[];
  readonly homeNotes: readonly HomeNote[];
  readonly mergeNotes: readonly MergeNote[];
  readonly entryParts: readonly EntryPartSource[];
  readonly profileTabs: readonly ProfileTab[];
  readonly signInWays: readonly SignInWay[];
  readonly adminAccountCards: readonly AdminAccountCard[];
  readonly profileCard: readonly ProfileCardPart[];
  readonly accountPages: readonly AccountPage[];
  readonly repoStates: readonly RepoStateSource[];
  readonly refFacts: RefFacts;
  /** The commits of a push, cached. */
  readonly findPushed: FindPushed;
}

/** A card on the dashboard of a signed-in user. */
export interface DashboardPanel {
  readonly id: string;
  /** Lower comes first. */
  readonly order: number;
  readonly place: "main" | "side";
  /** The card; `null` when there is nothing to show. */
  show(services: WebServices, call: Call): Children | null | Promise<Children | null>;
}

/** A page that replaces a repository's home page while the repository is in a special state. */
export interface RepoStateSource {
  readonly id: string;
  /** Lower comes first. */
  readonly order: number;
  /** Called for every repository home page, so it may only look up one row by key. `undefined`: show the home page. */
  show(services: WebServices, call: Call, seen: SeenRepo, frame: RepoFrameProps): Response | undefined;
}

/** A button beside a repository's name. */
export interface RepoActionSource {
  readonly id: string;
  /** Lower comes first. */
  readonly order: number;
  /** Called for every page of a repository, so it may only look up one or two rows by key. `undefined`: not shown. */
  of(services: WebServices, seen: SeenRepo): RepoAction | undefined;
}

/** A note above the code on a repository's home page. */
export interface HomeNote {
  readonly id: string;
  /** Lower comes first. */
  readonly order: number;
  /** Called for every repository home page, so it may only look up a few rows by key. `null`: nothing to show. */
  show(services: WebServices, seen: SeenRepo): Children | null | Promise<Children | null>;
}

/** A section between the header of a comparison and its commits. */
export interface ComparisonPart {
  readonly id: string;
  /** Lower comes first. */
  readonly order: number;
  /** `null` when there is nothing to show. */
  show(services: WebServices, call: Call, comparison: Comparison): Children | null | Promise<Children | null>;
}

/** A note above the content of a file. */
export interface FileNote {
  readonly id: string;
  /** Lower comes first. */
  readonly order: number;
  /** `null` when there is nothing to show for that file; for all but a few files the path alone decides. */
  show(services: WebServices, call: Call, file: FileEntry): Children | null | Promise<Children | null>;
}

/** A note below the checks of an open pull request. */
export interface MergeNote {
  readonly id: string;
  /** Lower comes first. */
  readonly order: number;
  /** `null` when there is nothing to show. */
  show(services: WebServices, item: SeenPull): Children | null;
}

/** How an area renders its own timeline entries in the conversations of items. */
export interface EntryPartSource {
  readonly id: string;
  /** Lower comes first. */
  readonly order: number;
  readonly kinds: readonly TimelineKind[];
  /** @returns what to show for the entries, by entry number; entries without one are rendered the default way */
  show(of: {
    readonly services: WebServices;
    readonly texts: ConversationTexts;
    readonly item: SeenIssue;
    /** The entries of these kinds on one page. */
    readonly entries: readonly TimelineEntry[];
  }): Promise<ReadonlyMap<number, EntryPart>>;
}

/** A card on a page of a user's settings, for example access tokens or account security. */
export interface SettingsPanel {
  readonly id: string;
  /** The id of the section whose page it is on. */
  readonly section: string;
  /** Lower comes first. */
  readonly order: number;
  show(services: WebServices, call: Call): Children | Promise<Children>;
}

/** Links on the sign-in page that sign in without a password. */
export interface SignInWay {
  readonly id: string;
  /** Lower comes first. */
  readonly order: number;
  /** @param target where to go after signing in; a validated path of this site */
  links(services: Services, target: string | undefined): readonly SignInLink[];
}

export interface SignInLink {
  /** The provider's name: "GitHub". */
  readonly name: string;
  readonly href: string;
  /** The URL of an icon. */
  readonly icon?: string;
}

/** A card on the page where administrators edit an account. */
export interface AdminAccountCard {
  readonly id: string;
  /** Lower comes first. */
  readonly order: number;
  /** `null` when there is nothing to show. */
  show(services: WebServices, call: Call, user: User): Children | null | Promise<Children | null>;
}

/** The page at `/{name}` for accounts that are not people. */
export interface AccountPage {
  readonly kind: UserKind;
  /** The caller may see the account. */
  show(services: WebServices, call: Call, account: User): Response | Promise<Response>;
}

/** Part of the card on an account's page: a button, a count, a badge. */
export interface ProfileCardPart {
  readonly id: string;
  /** Lower comes first. */
  readonly order: number;
  /** Under the name, or below everything else. */
  readonly place: "head" | "foot";
  /** The caller may see the account. `null`: nothing to show. */
  show(services: WebServices, call: Call, user: User): Children | null;
}

/** A tab of an account's page, at `/{user}?tab={id}`. */
export interface ProfileTab {
  readonly id: string;
  readonly label: Label;
  readonly icon: IconName;
  /** Lower comes first; the page opens with the first tab that is shown. */
  readonly order: number;
  /** The count beside it; absent or 0: none. */
  count?(services: WebServices, call: Call, user: User): number;
  /** Absent: always. */
  shown?(services: WebServices, call: Call, user: User): boolean | Promise<boolean>;
  /** The content of the tab. The caller may see the account. */
  show(services: WebServices, call: Call, user: User): Children | Promise<Children>;
}

/**
 * What an area shows. The build collects its style sheet (`style.css`) and its script (`client.ts`) from the same
 * folder.
 */
export interface WebArea {
  /** Its folder. */
  readonly name: string;
  /**
   * Whether this site has the feature; absent: always. Without it, the area's pages are 404 and it adds nothing to
   * others.
   */
  isOn?(config: Config): boolean;
  /** Loads the module that declares its pages: `async () => (await import("./routes.tsx")).starPages`. */
  routes(): Promise<(services: WebServices) => readonly Route[]>;
  readonly header?: readonly HeaderEntry[];
  readonly repoTabs?: readonly RepoTab[];
  readonly repoSettings?: readonly SettingsSection<RepoFrameProps>[];
  readonly userSettings?: readonly SettingsSection[];
  readonly organizationSettings?: readonly SettingsSection<SettingsOrganization>[];
  readonly organizationParts?: readonly OrganizationPart[];
  readonly settingsPanels?: readonly SettingsPanel[];
  readonly adminPages?: readonly AdminPage[];
  readonly exploreTabs?: readonly ExploreTab[];
  readonly repoActions?: readonly RepoActionSource[];
  readonly repoStates?: readonly RepoStateSource[];
  readonly comparisons?: readonly ComparisonPart[];
  readonly fileNotes?: readonly FileNote[];
  readonly homeNotes?: readonly HomeNote[];
  readonly mergeNotes?: readonly MergeNote[];
  readonly entryParts?: readonly EntryPartSource[];
  readonly profileTabs?: readonly ProfileTab[];
  readonly profileCard?: readonly ProfileCardPart[];
  readonly accountPages?: readonly AccountPage[];
  readonly dashboard?: readonly DashboardPanel[];
  readonly signInWays?: readonly SignInWay[];
  readonly adminAccountCards?: readonly AdminAccountCard[];
}

/** Everything the areas add to page frames. @throws Error when two of a kind have the same id */
export function contributionsOf(areas: readonly WebArea[]): Contributions {
  return {
    header: inOrder(areas.flatMap((area) => area.header ?? [])),
    repoTabs: inOrder(areas.flatMap((area) => area.repoTabs ?? [])),
    repoSettings: inOrder(areas.flatMap((area) => area.repoSettings ?? [])),
    userSettings: inOrder(areas.flatMap((area) => area.userSettings ?? [])),
    organizationSettings: inOrder(areas.flatMap((area) => area.organizationSettings ?? [])),
    organizationParts: inOrder(areas.flatMap((area) => area.organizationParts ?? [])),
    adminPages: inOrder(areas.flatMap((area) => area.adminPages ?? [])),
    exploreTabs: inOrder(areas.flatMap((area) => area.exploreTabs ?? [])),
  };
}

export function webServices(services: Services, areas: readonly WebArea[]): WebServices {
  return {
    ...services,
    contributions: contributionsOf(areas),
    panels: inOrder(areas.flatMap((area) => area.dashboard ?? [])),
    settingsPanels: inOrder(areas.flatMap((area) => area.settingsPanels ?? [])),
    repoActions: inOrder(areas.flatMap((area) => area.repoActions ?? [])),
    repoStates: inOrder(areas.flatMap((area) => area.repoStates ?? [])),
    comparisons: inOrder(areas.flatMap((area) => area.comparisons ?? [])),
    fileNotes: inOrder(areas.flatMap((area) => area.fileNotes ?? [])),
    homeNotes: inOrder(areas.flatMap((area) => area.homeNotes ?? [])),
    mergeNotes: inOrder(areas.flatMap((area) => area.mergeNotes ?? [])),
    entryParts: inOrder(areas.flatMap((area) => area.entryParts ?? [])),
    profileCard: inOrder(areas.flatMap((area) => area.profileCard ?? [])),
    profileTabs: inOrder(areas.flatMap((area) => area.profileTabs ?? [])),
    signInWays: inOrder(areas.flatMap((area) => area.signInWays ?? [])),
    adminAccountCards: inOrder(areas.flatMap((area) => area.adminAccountCards ?? [])),
    accountPages: areas.flatMap((area) => area.accountPages ?? []),
    findPushed: pushedCommits(services),
    refFacts: new RefFacts(services.refLists, services.revisions, services.tags, services.caches),
  };
}

function inOrder<Entry extends { readonly id: string; readonly order: number }>(entries: readonly Entry[]): Entry[] {
  const ids = entries.map((entry) => entry.id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw new Error(`two areas contribute an entry with the id ${twice}`);
  return entries.toSorted((a, b) => a.order - b.order);
}
