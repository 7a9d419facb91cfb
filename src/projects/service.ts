import { atLeast } from "../access/levels.ts";
import { accountOf, isSiteAdmin, type Principal } from "../access/principal.ts";
import type { AccessControl } from "../access/service.ts";
import type { User } from "../access/user.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import { type EventContext, storedPrincipal } from "../events/types.ts";
import type { Clock } from "../kernel/clock.ts";
import { Forbidden, NotFound, ValidationFailed } from "../kernel/errors.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import type { TeamService } from "../organizations/teams/service.ts";
import { insertColumn } from "./columns-store.ts";
import type { ProjectEvent } from "./events.ts";
import * as store from "./store.ts";
import {
  isRepoHome,
  type Project,
  type ProjectEdit,
  type ProjectFilter,
  type ProjectHome,
  type ProjectTemplate,
  type SeenOwner,
  type SeenProject,
} from "./types.ts";
import { checkDescription, checkTitle, MAX_PROJECT_TITLE, MAX_PROJECTS, templateColumns } from "./values.ts";

export interface ProjectNeeds {
  readonly access: AccessControl;
  readonly clock: Clock;
  readonly db: Database;
  readonly outbox: Outbox;
  readonly teams: TeamService;
}

/** Project boards of repositories and accounts (contract issues.md 21). */
export class ProjectService {
  constructor(private readonly needs: ProjectNeeds) {}

  /** An account visible to the principal, as the owner of boards. */
  homeOf(principal: Principal, owner: User): SeenOwner {
    return { principal, owner, mayWrite: this.mayWriteOf(principal, owner) };
  }

  /** Whether the principal may read the boards of a repository or account. */
  mayRead(home: ProjectHome): boolean {
    if (!isRepoHome(home)) return this.needs.access.sees(home.principal, home.owner);
    return home.repo.settings.projectsMode !== "owner" && atLeast(home.access.on("projects"), "read");
  }

  /** Whether the principal may change them; archived repositories are handled elsewhere. */
  mayWrite(home: ProjectHome): boolean {
    return isRepoHome(home) ? this.mayRead(home) && atLeast(home.access.on("projects"), "write") : home.mayWrite;
  }

  /** @throws NotFound they may not be read */
  list(home: ProjectHome, filter: ProjectFilter, paging: Pick<Paging, "limit" | "offset">): Slice<Project> {
    this.requireRead(home);
    return store.listProjects(this.needs.db, ownerOf(home), filter, paging);
  }

  /** Numbers of open and closed boards. @throws NotFound */
  counts(home: ProjectHome): { readonly open: number; readonly closed: number } {
    this.requireRead(home);
    return store.countProjects(this.needs.db, ownerOf(home));
  }

  /** @throws NotFound not one of these boards, or they may not be read */
  get(home: ProjectHome, id: number): SeenProject {
    this.requireRead(home);
    const project = this.byIds([id]).get(id);
    if (!project || !isOf(project, home)) throw new NotFound();
    return { home, project };
  }

  /** Without an access check; missing boards are left out. */
  byIds(ids: readonly number[]): Map<number, Project> {
    return store.findProjects(this.needs.db, ids);
  }

  /** @throws NotFound; Forbidden */
  requireWrite(home: ProjectHome): void {
    this.requireRead(home);
    if (!this.mayWrite(home)) throw new Forbidden("project.needs-write");
  }

  /** Creates a board with its template's columns. @throws NotFound; Forbidden; ValidationFailed */
  create(
    home: ProjectHome,
    given: ProjectEdit & { readonly title: string; readonly template: ProjectTemplate },
  ): Project {
    this.requireWrite(home);
    const { clock, db } = this.needs;
    return db.transaction(() => {
      const { open, closed } = store.countProjects(db, ownerOf(home));
      if (open + closed >= MAX_PROJECTS)
        throw new ValidationFailed("project.too-many", { params: { max: MAX_PROJECTS } });
      const { template } = given;
      const values = { ...valuesOf(given), template, creatorId: accountOf(home.principal).id };
      const made = store.insertProject(db, ownerOf(home), values, clock());
      for (const [sorting, title] of templateColumns[template].entries())
        insertColumn(db, made.id, { title, color: "", sorting, isDefault: sorting === 0 }, clock());
      this.tell({ home, project: made }, "project.created");
      return made;
    });
  }

  /** Absent fields are left unchanged. @throws Forbidden; ValidationFailed */
  edit(seen: SeenProject, edit: ProjectEdit): void {
    this.change(seen, (project) =>
      store.updateProject(this.needs.db, project.id, valuesOf(edit, project), this.needs.clock()),
    );
  }

  /** Its cards are left unchanged. @throws Forbidden */
  setClosed(seen: SeenProject, isClosed: boolean): void {
    this.change(seen, (project) => {
      if ((project.closedAt !== undefined) === isClosed) return;
      const now = this.needs.clock();
      store.setProjectClosed(this.needs.db, project.id, isClosed ? now : undefined, now);
    });
  }

  /** Deletes a board with its columns and cards, but not the items. @throws Forbidden */
  delete({ home, project }: SeenProject): void {
    this.requireWrite(home);
    const { db, outbox } = this.needs;
    db.transaction(() => {
      const { id, title } = this.get(home, project.id).project;
      store.deleteProject(db, id);
      outbox.append("project.deleted", contextOf(home), { projectId: id, title });
    });
  }

  /** Changes the current state of a board, and emits the event in the same transaction. @throws Forbidden; NotFound */
  change(seen: SeenProject, write: (project: Project) => void): void {
    this.requireWrite(seen.home);
    this.needs.db.transaction(() => {
      const present = this.get(seen.home, seen.project.id);
      write(present.project);
      this.tell(present, "project.edited");
    });
  }

  private requireRead(home: ProjectHome): void {
    if (!this.mayRead(home)) throw new NotFound();
  }

  private mayWriteOf(principal: Principal, owner: User): boolean {
    const { user } = principal;
    if (!user) return false;
    if (user.id === owner.id || isSiteAdmin(principal)) return true;
    if (owner.kind !== "organization") return false;
    return this.needs.teams
      .ofMember(owner, user)
      .some(({ level, units }) => level !== "none" || atLeast(units.projects ?? "none", "write"));
  }

  private tell({ home, project }: SeenProject, kind: ProjectEvent): void {
    this.needs.outbox.append(kind, contextOf(home), { projectId: project.id });
  }
}

/** The event context for a board. */
export function contextOf(home: ProjectHome): EventContext {
  const principal = storedPrincipal(home.principal);
  return isRepoHome(home)
    ? { repoId: home.repo.id, ownerId: home.owner.id, principal, unit: "projects" }
    : { ownerId: home.owner.id, principal };
}

function ownerOf(home: ProjectHome): store.ProjectOwner {
  return isRepoHome(home) ? { repoId: home.repo.id } : { ownerId: home.owner.id };
}

function isOf({ ownerId, repoId }: Project, home: ProjectHome): boolean {
  return isRepoHome(home) ? repoId === home.repo.id : ownerId === home.owner.id;
}

function valuesOf({ cardType, description, title }: ProjectEdit, before?: Project): store.ProjectValues {
  return {
    title: title === undefined && before ? before.title : checkTitle(title ?? "", MAX_PROJECT_TITLE),
    description: description === undefined ? (before?.description ?? "") : checkDescription(description),
    cardType: cardType ?? before?.cardType ?? "text",
  };
}
