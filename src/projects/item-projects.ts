import type { Principal } from "../access/principal.ts";
import type { AccessControl } from "../access/service.ts";
import type { Database } from "../db/database.ts";
import type { IdentityService } from "../identity/service.ts";
import type { Timeline } from "../issues/timeline/service.ts";
import type { SeenIssue } from "../issues/types.ts";
import { BadRequest } from "../kernel/errors.ts";
import type { RepoService } from "../repos/service.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { BoardService } from "./boards.ts";
import * as cards from "./cards-store.ts";
import type { ProjectService } from "./service.ts";
import { hasOpenProject, listProjects, type ProjectOwner } from "./store.ts";
import type { Project, ProjectHome } from "./types.ts";
import { MAX_PROJECTS } from "./values.ts";

export interface ItemProjectNeeds {
  readonly access: AccessControl;
  readonly boards: BoardService;
  readonly db: Database;
  readonly identity: IdentityService;
  readonly projects: ProjectService;
  readonly repos: RepoService;
  readonly timeline: Timeline;
}

/** The boards on which an item stands (contract issues.md 21.1). */
export class ItemProjects {
  constructor(private readonly needs: ItemProjectNeeds) {}

  /** The boards of many items at once, by the items' ids, as far as whoever sees the items may read them; by number. */
  of(items: readonly SeenIssue[]): Map<number, Project[]> {
    const { db, projects } = this.needs;
    const all = cards.cardsOfIssues(
      db,
      items.map(({ issue }) => issue.id),
    );
    if (all.length === 0) return new Map();
    const byIssue = Map.groupBy(all, ({ issueId }) => issueId);
    const found = projects.byIds([...new Set([...byIssue.values()].flat().map(({ projectId }) => projectId))]);
    return new Map(
      items.map(({ issue, seen }) => {
        const own = (byIssue.get(issue.id) ?? []).flatMap(({ projectId }) => found.get(projectId) ?? []);
        return [issue.id, own.filter((project) => this.isReadable(seen, project))];
      }),
    );
  }

  /** Whether the principal may know what stands on a board: a list must not tell it by its filter. */
  isVisible(principal: Principal, id: number): boolean {
    const { access, identity, projects } = this.needs;
    const project = projects.byIds([id]).get(id);
    if (project?.repoId !== undefined) return this.readsBoardsOf(principal, project.repoId);
    const owner = project?.ownerId === undefined ? undefined : identity.byId(project.ownerId);
    return owner !== undefined && access.sees(principal, owner);
  }

  readsBoardsOf(principal: Principal, repoId: number): boolean {
    const [seen] = this.needs.repos.seeEach(principal, [repoId]);
    return seen !== undefined && this.needs.projects.mayRead(seen);
  }

  /** The boards that items of a repository may come on, open ones only: its own, then those of its owner. */
  usable(seen: SeenRepo): Project[] {
    const { db } = this.needs;
    const filter = { state: "open", text: "", order: "alphabetically" } as const;
    const paging = { limit: MAX_PROJECTS, offset: 0 };
    return ownersFor(seen)
      .filter((owner) => this.isReadable(seen, owner))
      .flatMap((owner) => listProjects(db, owner, filter, paging).items);
  }

  /** Whether there is any of those. */
  hasUsable(seen: SeenRepo): boolean {
    return ownersFor(seen).some((owner) => this.isReadable(seen, owner) && hasOpenProject(this.needs.db, owner));
  }

  /** The columns in which an item stands, by project. */
  columnsOf({ issue }: SeenIssue): Map<number, number> {
    return new Map(
      cards.cardsOfIssues(this.needs.db, [issue.id]).map(({ columnId, projectId }) => [projectId, columnId]),
    );
  }

  /**
   * The item stands on these boards and no others, but for those that who sees it may not read. That it may be changed
   * is decided by the caller. Joins the running transaction.
   * @throws BadRequest a board that is not there, or not for items of this repository; nothing was changed
   */
  set(item: SeenIssue, ids: readonly number[]): void {
    const { boards, db, timeline } = this.needs;
    const { issue, seen } = item;
    const wanted = new Set(ids);
    const found = this.requireUsable(seen, [...wanted]);
    const present = new Set((this.of([item]).get(issue.id) ?? []).map(({ id }) => id));
    for (const card of cards.cardsOfIssues(db, [issue.id])) {
      const id = card.projectId;
      if (wanted.has(id) || !present.has(id)) continue;
      cards.deleteCard(db, card);
      timeline.append(item, { kind: "project", oldProjectId: id, projectId: 0 });
    }
    for (const { id } of found) {
      if (present.has(id)) continue;
      boards.insert(id, issue.id);
      timeline.append(item, { kind: "project", oldProjectId: 0, projectId: id });
    }
  }

  /** The same for several items, all or none. @throws BadRequest */
  setEach(items: readonly SeenIssue[], ids: readonly number[]): void {
    this.needs.db.transaction(() => {
      for (const item of items) this.set(item, ids);
    });
  }

  /** The board as a home and project for whoever sees the item. @throws BadRequest */
  seen(item: SeenIssue, id: number): { readonly home: ProjectHome; readonly project: Project } {
    const [project] = this.requireUsable(item.seen, [id]);
    if (!project) throw new BadRequest("project.not-found", { params: { id } });
    const { principal, owner } = item.seen;
    return { home: project.repoId === undefined ? this.needs.projects.homeOf(principal, owner) : item.seen, project };
  }

  private requireUsable(seen: SeenRepo, ids: readonly number[]): Project[] {
    const found = this.needs.projects.byIds(ids);
    return ids.map((id) => {
      const project = found.get(id);
      // What may not be read, and what is another's, looks like what is not there.
      if (!project || !this.isReadable(seen, project))
        throw new BadRequest("project.not-found", { field: "projects", params: { id } });
      return project;
    });
  }

  /** Whether it is a board for items of the repository, and who sees that may read it. */
  private isReadable(seen: SeenRepo, { ownerId, repoId }: Partial<Pick<Project, "ownerId" | "repoId">>): boolean {
    const { access, projects } = this.needs;
    if (repoId !== undefined) return repoId === seen.repo.id && projects.mayRead(seen);
    const { off = [], projectsMode } = seen.repo.settings;
    if (ownerId !== seen.owner.id || projectsMode === "repo" || off.includes("projects")) return false;
    return access.sees(seen.principal, seen.owner);
  }
}

/** Whose boards items of a repository may stand on. */
const ownersFor = ({ owner, repo }: SeenRepo): ProjectOwner[] => [{ repoId: repo.id }, { ownerId: owner.id }];
