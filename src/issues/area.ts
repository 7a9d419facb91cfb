import type { Area } from "../area.ts";
import { AssigneeService } from "./assignees/service.ts";
import { Audience } from "./audience/service.ts";
import { DependencyService } from "./dependencies/service.ts";
import { issueErrorWords } from "./error-words.ts";
import { HiddenEntries } from "./hidden-entries/service.ts";
import { ItemImportFiles } from "./imports/files.ts";
import { ItemImports } from "./imports/service.ts";
import { Labelling } from "./labelling.ts";
import { LeavingService } from "./leaving/service.ts";
import { ItemLists } from "./list/service.ts";
import { ItemLocks } from "./locks.ts";
import { PinService } from "./pins/service.ts";

import { SavedSearches } from "./query/saved.ts";
import { ItemResourceParts } from "./resource-parts.ts";
import { IssueService } from "./service.ts";
import { ItemStates } from "./state.ts";
import { openTalk, type TalkServices } from "./talk.ts";
import { Timeline } from "./timeline/service.ts";
import { ItemWatches } from "./watches/service.ts";
import "./events.ts";

declare module "../services.ts" {
  interface Services extends TalkServices {
    readonly assignees: AssigneeService;
    readonly dependencies: DependencyService;
    readonly hiddenEntries: HiddenEntries;
    readonly issues: IssueService;
    readonly itemImportFiles: ItemImportFiles;
    readonly itemImports: ItemImports;
    readonly itemLists: ItemLists;
    readonly itemLocks: ItemLocks;
    readonly itemParts: ItemResourceParts;
    readonly itemStates: ItemStates;
    readonly itemWatches: ItemWatches;
    readonly labelling: Labelling;
    readonly pins: PinService;
    readonly savedSearches: SavedSearches;
    readonly timeline: Timeline;
    readonly audience: Audience;
  }
}

/** Issues, and what pull requests share with them. */
export const issuesArea: Area = {
  name: "issues",
  errorWords: issueErrorWords,
  routes: async () => (await import("./routes.ts")).routesOfItems,
  open: (core, services) => {
    const { access, caches, clock, config, crash, db, outbox, pool } = core;
    const { blocks, collaborators, identity, labels, milestones, organizations, repos, repoSearch, teams, watches } =
      services;
    repos.addCount("openIssues", openCount(0));
    repos.addCount("openPulls", openCount(1));
    const timeline = new Timeline(db, outbox, access, clock);
    const assignees = new AssigneeService({
      blocks,
      collaborators,
      db,
      identity,
      organizations,
      outbox,
      repos,
      teams,
      timeline,
    });
    const itemStates = new ItemStates({ clock, db, outbox, timeline });
    const labelling = new Labelling({ db, labels, outbox, timeline });
    const issues = new IssueService({
      assignees,
      blocks,
      clock,
      db,
      identity,
      itemStates,
      labelling,
      milestones,
      outbox,
      repos,
      timeline,
    });
    const itemLists = new ItemLists({ access, caches, clock, db, identity, issues, outbox, pool, repoSearch, teams });
    const pins = new PinService({ db, issues, max: config["issues.max_pinned"], outbox, timeline });
    const dependencies = new DependencyService({
      acrossRepos: config["issues.cross_repository_dependencies"],
      clock,
      db,
      issues,
      repos,
      timeline,
    });
    const itemLocks = new ItemLocks({ db, outbox, timeline });
    const itemWatches = new ItemWatches({ access, db, identity, watches });
    const talk = openTalk(core, services, { issues, itemStates, labelling, timeline });
    outbox.react("account.blocked", ({ ownerId }, { userId }) => {
      if (ownerId !== undefined) assignees.separate(ownerId, userId);
    });
    const leaving = new LeavingService({ assignees, db, identity, repos });
    outbox.react("collaborator.removed", ({ ownerId, repoId }, { userId }) => {
      if (ownerId !== undefined) leaving.leave(ownerId, repoId, userId);
    });
    outbox.react("organization.rights-lost", ({ ownerId }, { userId }) => {
      if (ownerId !== undefined && userId !== null) leaving.leave(ownerId, undefined, userId);
    });
    const itemParts = new ItemResourceParts();
    return {
      services: {
        assignees,
        audience: new Audience(db, watches),
        dependencies,
        hiddenEntries: new HiddenEntries(db),
        issues,
        itemImportFiles: new ItemImportFiles(db, talk.attachments),
        itemImports: new ItemImports({ crash, db, identity, labels, milestones, outbox, reactions: talk.reactions }),
        itemLists,
        itemLocks,
        itemParts,
        itemStates,
        itemWatches,
        labelling,
        pins,
        savedSearches: new SavedSearches(db, clock),
        timeline,
        ...talk,
      },
    };
  },
};

const openCount = (isPull: 0 | 1) => (repo: string) =>
  `coalesce((SELECT open_items FROM issue_counts WHERE repo_id = ${repo} AND is_pull = ${isPull}), 0)`;
