import { movedTarget } from "../../src/http/path.ts";
import type { Call } from "../../src/http/route.ts";
import { param } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { segment } from "../../src/kernel/url-path.ts";
import { isRepoHome, type ProjectHome, type SeenProject } from "../../src/projects/types.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import { homeOf } from "../repos/frame.ts";

/** The owner of a page's boards: the repository declared by its route, or the account in its path. @throws NotFound */
export function projectHome(services: WebServices, call: Call): ProjectHome {
  if (call.found.repository) return seenRepo(call);
  const { identity, projects } = services;
  const owner = identity.visible(call.principal, param(call, "owner"), (login) =>
    movedTarget(call.target, call.pattern, { owner: login }),
  );
  return projects.homeOf(call.principal, owner);
}

/** Whether the viewer may use the forms of these boards: not in an archived repository. */
export function mayChange({ projects }: WebServices, home: ProjectHome): boolean {
  return projects.mayWrite(home) && !(isRepoHome(home) && home.repo.isArchived);
}

/** The same for pages only writers can open. @throws NotFound for everyone else */
export function writersHome(services: WebServices, call: Call): ProjectHome {
  const home = projectHome(services, call);
  if (!mayChange(services, home)) throw new NotFound();
  return home;
}

/** The board named in the path. @throws NotFound */
export function namedProject(services: WebServices, call: Call, home: ProjectHome): SeenProject {
  return services.projects.get(home, numberIn(call, "id"));
}

/** 0 when it is not a number: nothing has that id. */
export function numberIn(call: Call, name: string): number {
  const text = param(call, name);
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

/** The URL of these boards. */
export function projectsHref(home: ProjectHome): string {
  return isRepoHome(home) ? homeOf(home, "projects") : `/${segment(home.owner.login)}/-/projects`;
}
