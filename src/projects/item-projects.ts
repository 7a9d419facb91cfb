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

/** The boards an item is on (contract issues.md 21.1). */
export class ItemProjects {
  constructor(private readonly needs: ItemProjectNeeds) {}

  /** The boards of many items that their viewer may read, by item id; sorted by id. */
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

  /** Whether the principal may know what is on a board: filtering a list by it must not reveal that. */
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

  /** Open boards that items of a repository may be added to: its own, then its owner's. */
  usable(seen: SeenRepo): Project[] {
    const { db } = this.needs;
    const filter = { state: "open", text: "", order: "alphabetically" } as const;
    const paging = { limit: MAX_PROJECTS, offset: 0 };
    return ownersFor(seen)
      .filter((owner) => this.isReadable(seen, owner))
      .flatMap((owner) => listProjects(db, owner, filter, paging).items);
  }

  /** Whether there are any. */
  hasUsable(seen: SeenRepo): boolean {
    return ownersFor(seen).some((owner) => this.isReadable(seen, owner) && hasOpenProject(this.needs.db, owner));
  }

  /** The columns an item is in, by project. */
  columnsOf({ issue }: SeenIssue): Map<number, number> {
    return new Map(
      cards.cardsOfIssues(this.needs.db, [issue.id]).map(({ columnId, projectId }) => [projectId, columnId]),
    );
  }

  /**
   * Puts the item on exactly these boards, except for boards its viewer may not read. The caller has checked
   * permissions. Joins the running transaction.
   * @throws BadRequest a board that does not exist, or is not for items of this repository; nothing was changed
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

  /** The board with its home, as the item's viewer sees them. @throws BadRequest */
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
      // Unreadable and unrelated boards look missing.
      if (!project || !this.isReadable(seen, project))
        throw new BadRequest("project.not-found", { field: "projects", params: { id } });
      return project;
    });
  }

  /** Whether the board is for items of the repository, and readable by its viewer. */
  private isReadable(seen: SeenRepo, { ownerId, repoId }: Partial<Pick<Project, "ownerId" | "repoId">>): boolean {
    const { access, projects } = this.needs;
    if (repoId !== undefined) return repoId === seen.repo.id && projects.mayRead(seen);
    const { off = [], projectsMode } = seen.repo.settings;
    if (ownerId !== seen.owner.id || projectsMode === "repo" || off.includes("projects")) return false;
    return access.sees(seen.principal, seen.owner);
  }
}

/** The owners of boards that items of the repository may be on. */
const ownersFor = ({ owner, repo }: SeenRepo): ProjectOwner[] => [{ repoId: repo.id }, { ownerId: owner.id }];
