import type { Area } from "../area.ts";
import { eachOnDemand } from "../kernel/on-demand.ts";
import { deleteCardsOfRepo } from "./cards-store.ts";
import { projectErrorWords } from "./error-words.ts";
import { tellBoards } from "./live.ts";
import type { Project } from "./types.ts";
import "./events.ts";

declare module "../issues/resource-parts.ts" {
  interface ResourceParts {
    projects: readonly Project[];
  }
}

/** Boards: issues and pull requests as cards in columns. */
export const projectsArea: Area = {
  name: "projects",
  errorWords: projectErrorWords,
  open: (core, services) => {
    const { access, db, live, outbox } = core;
    const { issues, itemLists, itemParts, timeline } = services;
    const opened = eachOnDemand(
      () => (require("./opening.ts") as typeof import("./opening.ts")).openProjects(core, services),
      { boards: true, itemProjects: true, projects: true },
    );
    const { itemProjects } = opened;
    tellBoards({ db, live, outbox }, timeline, (principal, id) => itemProjects.isVisible(principal, id));
    issues.addEditor("projects", (item, ids) => {
      if (ids) itemProjects.set(item, ids);
    });
    const cards = "SELECT 1 FROM project_cards WHERE project_cards.issue_id = issues.id";
    itemLists.addFilter("project", (id) => `(${cards} AND project_cards.project_id = ${id}) IS NOT NULL`, {
      mayAsk: (principal, id) => itemProjects.isVisible(principal, id),
    });
    itemLists.addFilter("anyProject", (one) => `(${cards} AND ${one} = 1 LIMIT 1) IS NOT NULL`, {
      // Someone who may read an item may still not be allowed to read its repository's boards.
      everywhere: `(${cards} AND $anyProject = 1 AND ${access.repoCondition({ unit: "projects" })} LIMIT 1) IS NOT NULL`,
      mayAsk: (principal, _one, repoId) => repoId === undefined || itemProjects.readsBoardsOf(principal, repoId),
    });
    itemParts.add("projects", (items) => itemProjects.of(items));
    outbox.react("repo.transferred", ({ repoId }, { fromId }) => {
      if (repoId !== undefined) deleteCardsOfRepo(db, repoId, fromId);
    });
    return { services: opened };
  },
};
