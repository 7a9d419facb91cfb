import type { Core } from "../core.ts";
import type { Services } from "../services.ts";
import { BoardService } from "./boards.ts";
import { ItemProjects } from "./item-projects.ts";
import { ProjectService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly projects: ProjectService;
    readonly boards: BoardService;
    readonly itemProjects: ItemProjects;
  }
}

export function openProjects(
  { access, clock, db, outbox }: Core,
  { identity, issues, repos, teams, timeline }: Services,
) {
  const projects = new ProjectService({ access, clock, db, outbox, teams });
  const boards = new BoardService({ access, clock, db, issues, outbox, projects, timeline });
  const itemProjects = new ItemProjects({ access, boards, db, identity, projects, repos, timeline });
  return { projects, boards, itemProjects };
}
