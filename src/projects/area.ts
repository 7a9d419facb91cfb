import type { Area } from "../area.ts";
import { BoardService } from "./boards.ts";
import { deleteCardsOfRepo } from "./cards-store.ts";
import { projectErrorWords } from "./error-words.ts";
import { ItemProjects } from "./item-projects.ts";
import { tellBoards } from "./live.ts";
import { ProjectService } from "./service.ts";
import type { Project } from "./types.ts";
import "./events.ts";

declare module "../services.ts" {
  interface Services {
    readonly projects: ProjectService;
    readonly boards: BoardService;
    readonly itemProjects: ItemProjects;
  }
}

declare module "../issues/resource-parts.ts" {
  interface ResourceParts {
    projects: readonly Project[];
  }
}

/** Boards: issues and pull requests as cards in columns. */
export const projectsArea: Area = {
  name: "projects",
  errorWords: projectErrorWords,
  open: ({ access, clock, db, live, outbox }, { identity, issues, itemLists, itemParts, repos, teams, timeline }) => {
    const projects = new ProjectService({ access, clock, db, outbox, teams });
    const boards = new BoardService({ access, clock, db, issues, outbox, projects, timeline });
    const itemProjects = new ItemProjects({ access, boards, db, identity, projects, repos, timeline });
    tellBoards({ db, live, outbox }, timeline, (principal, id) => itemProjects.isVisible(principal, id));
    issues.addEditor("projects", (item, ids) => {
      if (ids) itemProjects.set(item, ids);
    });
    const cards = "SELECT 1 FROM project_cards WHERE project_cards.issue_id = issues.id";
    itemLists.addFilter("project", (id) => `(${cards} AND project_cards.project_id = ${id}) IS NOT NULL`, {
      mayAsk: (principal, id) => itemProjects.isVisible(principal, id),
    });
    itemLists.addFilter("anyProject", (one) => `(${cards} AND ${one} = 1 LIMIT 1) IS NOT NULL`, {
      // Who reads an item everywhere may not read the boards of its repository.
      everywhere: `(${cards} AND $anyProject = 1 AND ${access.repoCondition({ unit: "projects" })} LIMIT 1) IS NOT NULL`,
      mayAsk: (principal, _one, repoId) => repoId === undefined || itemProjects.readsBoardsOf(principal, repoId),
    });
    itemParts.add("projects", (items) => itemProjects.of(items));
    outbox.react("repo.transferred", ({ repoId }, { fromId }) => {
      if (repoId !== undefined) deleteCardsOfRepo(db, repoId, fromId);
    });
    return { services: { projects, boards, itemProjects } };
  },
};
