import { movedTarget } from "../../src/http/path.ts";
import type { Call } from "../../src/http/route.ts";
import { param } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { segment } from "../../src/kernel/url-path.ts";
import { isRepoHome, type ProjectHome, type SeenProject } from "../../src/projects/types.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import { homeOf } from "../repos/frame.ts";

/** Whose boards a page is about: the repository that its route declares, or the account of its path. @throws NotFound */
export function projectHome(services: WebServices, call: Call): ProjectHome {
  if (call.found.repository) return seenRepo(call);
  const { identity, projects } = services;
  const owner = identity.visible(call.principal, param(call, "owner"), (login) =>
    movedTarget(call.target, call.pattern, { owner: login }),
  );
  return projects.homeOf(call.principal, owner);
}

/** Whether the forms of these boards are for whoever looks: not in an archived repository. */
export function mayChange({ projects }: WebServices, home: ProjectHome): boolean {
  return projects.mayWrite(home) && !(isRepoHome(home) && home.repo.isArchived);
}

/** The same for the pages that only writers have. @throws NotFound they do not exist for anyone else */
export function writersHome(services: WebServices, call: Call): ProjectHome {
  const home = projectHome(services, call);
  if (!mayChange(services, home)) throw new NotFound();
  return home;
}

/** The board of the path. @throws NotFound */
export function namedProject(services: WebServices, call: Call, home: ProjectHome): SeenProject {
  return services.projects.get(home, numberIn(call, "id"));
}

/** 0 when it is none: there is nothing of that number. */
export function numberIn(call: Call, name: string): number {
  const text = param(call, name);
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

/** The address of these boards. */
export function projectsHref(home: ProjectHome): string {
  return isRepoHome(home) ? homeOf(home, "projects") : `/${segment(home.owner.login)}/-/projects`;
}
