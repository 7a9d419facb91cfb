import { atLeast } from "../access/levels.ts";
import type { AccessControl } from "../access/service.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import type { IssueService } from "../issues/service.ts";
import type { Timeline } from "../issues/timeline/service.ts";
import type { SeenIssue } from "../issues/types.ts";
import type { Clock } from "../kernel/clock.ts";
import { BadRequest, Locked, NotFound, ValidationFailed } from "../kernel/errors.ts";
import * as cards from "./cards-store.ts";
import * as columns from "./columns-store.ts";
import { contextOf, type ProjectService } from "./service.ts";
import { touchProject } from "./store.ts";
import {
  type CardFilter,
  type CardPlace,
  type ColumnEdit,
  isRepoHome,
  type ProjectCard,
  type ProjectColumn,
  type ProjectHome,
  type SeenProject,
} from "./types.ts";
import { checkColumnColor, checkTitle, MAX_COLUMN_TITLE, MAX_COLUMNS, UNCATEGORIZED } from "./values.ts";

export interface BoardNeeds {
  readonly access: AccessControl;
  readonly clock: Clock;
  readonly db: Database;
  readonly issues: IssueService;
  readonly outbox: Outbox;
  readonly projects: ProjectService;
  readonly timeline: Timeline;
}

/** A page of a column: its cards' items, as far as the viewer may read them. */
export interface CardPage {
  readonly items: readonly SeenIssue[];
  readonly hasMore: boolean;
}

/** Max cards one request may move. */
const MAX_MOVED = 1000;
const itemUnit = "(CASE issues.is_pull WHEN 1 THEN 'pulls' ELSE 'issues' END)";

/** Columns and cards of boards (contract issues.md 21.2 and 21.3). */
export class BoardService {
  constructor(private readonly needs: BoardNeeds) {}

  columns({ project }: SeenProject): ProjectColumn[] {
    return columns.columnsOf(this.needs.db, project.id);
  }

  /** @throws NotFound not a column of the board */
  column({ project }: SeenProject, id: number): ProjectColumn {
    const found = columns.findColumns(this.needs.db, [id]).get(id);
    if (found?.projectId !== project.id) throw new NotFound("project.no-such-column");
    return found;
  }

  cards(
    { home }: SeenProject,
    column: ProjectColumn,
    filter: CardFilter,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): CardPage {
    const { db, issues } = this.needs;
    const found = cards.cardsOf(db, column.id, this.viewer(home), filter, { limit: limit + 1, offset });
    const shown = found.slice(0, limit).map(({ issueId }) => issueId);
    return { items: issues.seeEach(home.principal, shown), hasMore: found.length > limit };
  }

  /**
   * The first column becomes the default for new cards.
   * @throws Forbidden; ValidationFailed a bad value, or the maximum is reached
   */
  addColumn(seen: SeenProject, { color, title }: ColumnEdit): void {
    const { clock, db, projects } = this.needs;
    projects.change(seen, ({ id }) => {
      const present = columns.columnsOf(db, id);
      if (present.length >= MAX_COLUMNS)
        throw new ValidationFailed("project.too-many-columns", { params: { max: MAX_COLUMNS } });
      const values = { title: checkTitle(title ?? "", MAX_COLUMN_TITLE), color: checkColumnColor(color ?? "") };
      const sorting = (present.at(-1)?.sorting ?? -1) + 1;
      columns.insertColumn(db, id, { ...values, sorting, isDefault: present.length === 0 }, clock());
    });
  }

  /** Absent fields are left unchanged. @throws NotFound; Forbidden; ValidationFailed */
  editColumn(seen: SeenProject, columnId: number, { color, title }: ColumnEdit): void {
    const { clock, db, projects } = this.needs;
    projects.change(seen, () => {
      const before = this.column(seen, columnId);
      const values = {
        title: title === undefined ? before.title : checkTitle(title, MAX_COLUMN_TITLE),
        color: color === undefined ? before.color : checkColumnColor(color),
        sorting: before.sorting,
      };
      columns.updateColumn(db, columnId, values, clock());
    });
  }

  /** @throws NotFound; Forbidden */
  setDefaultColumn(seen: SeenProject, columnId: number): void {
    const { clock, db, projects } = this.needs;
    projects.change(seen, () => columns.setDefaultColumn(db, this.column(seen, columnId), clock()));
  }

  /**
   * Moves its cards to the end of the default column.
   * @throws NotFound; Forbidden; BadRequest it is the default column
   */
  deleteColumn(seen: SeenProject, columnId: number): void {
    const { db, projects } = this.needs;
    projects.change(seen, () => {
      const { isDefault } = this.column(seen, columnId);
      if (isDefault) throw new BadRequest("project.default-column");
      const home = this.columns(seen).find((column) => column.isDefault);
      if (home) cards.moveAllCards(db, columnId, home.id);
      columns.deleteColumn(db, columnId);
    });
  }

  /** Moves columns to the given positions, all or none. @throws NotFound one is not a column of the board; Forbidden */
  moveColumns(seen: SeenProject, places: readonly { readonly columnId: number; readonly sorting: number }[]): void {
    const { clock, db, projects } = this.needs;
    if (places.length > MAX_COLUMNS) throw new NotFound("project.no-such-column");
    projects.change(seen, () => {
      const found = places.map(({ columnId, sorting }) => ({ ...this.column(seen, columnId), sorting }));
      for (const { id, ...values } of found) columns.updateColumn(db, id, values, clock());
    });
  }

  /**
   * Moves cards to the given positions in a column, all or none.
   * @throws NotFound the column or a card is not on the board; Forbidden; Locked the repository of a card is archived
   */
  moveCards(seen: SeenProject, columnId: number, places: readonly CardPlace[]): void {
    this.move(seen, columnId, places, (found) => {
      // If a card is named twice, the last position counts.
      for (const { issueId, sorting } of new Map(places.map((place) => [place.issueId, place])).values()) {
        const card = found.get(issueId);
        if (card) cards.moveCard(this.needs.db, card, columnId, sorting);
      }
    });
  }

  /** Moves a card before another one of a column, or to the end. @throws NotFound; Forbidden; Locked */
  moveCard(seen: SeenProject, issueId: number, columnId: number, beforeIssueId: number | undefined): void {
    this.move(seen, columnId, [{ issueId }], (found) => {
      const card = found.get(issueId);
      if (card) cards.moveCard(this.needs.db, card, columnId, this.place(seen, columnId, beforeIssueId));
    });
  }

  /** Moves a card up or down by one in its column; does nothing at either end. @throws NotFound; Forbidden; Locked */
  stepCard(seen: SeenProject, issueId: number, isUp: boolean): void {
    const { db } = this.needs;
    const card = cards.findCards(db, seen.project.id, [issueId]).get(issueId);
    if (!card) throw new NotFound("project.no-such-card");
    const before = isUp ? cards.cardBefore(db, card.columnId, card) : cards.cardsAfter(db, card.columnId, card, 2)[1];
    if (isUp && !before) return;
    this.moveCard(seen, issueId, card.columnId, before?.issueId);
  }

  /** The first card of a column, for inserting before it. */
  firstCard(seen: SeenProject, columnId: number): number | undefined {
    const { id } = this.column(seen, columnId);
    return cards.cardsAfter(this.needs.db, id, { issueId: 0, sorting: Number.NEGATIVE_INFINITY }, 1)[0]?.issueId;
  }

  /** Swaps a column with its neighbour. @throws NotFound; Forbidden */
  stepColumn(seen: SeenProject, columnId: number, isLeft: boolean): void {
    const all = this.columns(seen).map(({ id }) => id);
    const at = all.indexOf(columnId);
    const to = isLeft ? at - 1 : at + 1;
    const other = all[to];
    if (at < 0) throw new NotFound("project.no-such-column");
    if (other === undefined) return;
    const places = all.map((id, sorting) => ({
      columnId: id,
      sorting: id === columnId ? to : id === other ? at : sorting,
    }));
    this.moveColumns(seen, places);
  }

  /** A column of any board; permissions are checked with the board. @throws NotFound */
  columnById(id: number): ProjectColumn {
    const found = columns.findColumns(this.needs.db, [id]).get(id);
    if (!found) throw new NotFound("project.no-such-column");
    return found;
  }

  /**
   * Adds a card at the end of the default column, creating the column if there is none. Joins the running transaction.
   */
  insert(projectId: number, issueId: number): void {
    const { clock, db } = this.needs;
    const all = columns.columnsOf(db, projectId);
    const first = { title: UNCATEGORIZED, color: "", sorting: 0, isDefault: true };
    const { id } = all.find(({ isDefault }) => isDefault) ?? columns.insertColumn(db, projectId, first, clock());
    cards.insertCard(db, { projectId, issueId, columnId: id, sorting: cards.endOf(db, id) });
    touchProject(db, projectId, clock());
  }

  private move(
    seen: SeenProject,
    columnId: number,
    places: readonly Pick<CardPlace, "issueId">[],
    write: (found: ReadonlyMap<number, ProjectCard>) => void,
  ): void {
    const { clock, db, issues, outbox, projects, timeline } = this.needs;
    const { home, project } = seen;
    projects.requireWrite(home);
    const ids = [...new Set(places.map(({ issueId }) => issueId))];
    if (ids.length > MAX_MOVED) throw new NotFound("project.no-such-card");
    db.transaction(() => {
      const { title } = this.column(seen, columnId);
      const found = cards.findCards(db, project.id, ids);
      const items = issues.seeEach(home.principal, ids);
      if (found.size < ids.length || items.length < ids.length) throw new NotFound("project.no-such-card");
      const moved = items.filter(({ issue }) => found.get(issue.id)?.columnId !== columnId);
      if (moved.some((item) => item.seen.repo.isArchived)) throw new Locked("repository.archived");
      write(found);
      for (const item of moved)
        timeline.append(item, { kind: "project_board", projectId: project.id, oldText: project.title, newText: title });
      touchProject(db, project.id, clock());
      outbox.append("project.cards-moved", contextOf(home), { projectId: project.id, issueIds: ids });
    });
  }

  /** A sort value between the given card and the one before it. */
  private place(seen: SeenProject, columnId: number, beforeIssueId: number | undefined, isSecondTry = false): number {
    const { db } = this.needs;
    if (beforeIssueId === undefined) return cards.endOf(db, columnId);
    const next = cards.findCards(db, seen.project.id, [beforeIssueId]).get(beforeIssueId);
    if (next?.columnId !== columnId) throw new NotFound("project.no-such-card");
    const previous = cards.cardBefore(db, columnId, next);
    if (!previous) return next.sorting - 1;
    const between = (previous.sorting + next.sorting) / 2;
    if ((between > previous.sorting && between < next.sorting) || isSecondTry) return between;
    cards.renumber(db, columnId);
    return this.place(seen, columnId, beforeIssueId, true);
  }

  private viewer(home: ProjectHome): cards.CardViewer {
    const { access, issues } = this.needs;
    if (!isRepoHome(home))
      return {
        isVisible: access.repoConditionByUnit(itemUnit),
        joinsRepositories: true,
        params: access.params(home.principal),
      };
    const reads = (isPull: boolean) => atLeast(issues.levelOn(home, { isPull }), "read");
    const kinds = [...(reads(false) ? ["0"] : []), ...(reads(true) ? ["1"] : [])];
    return { isVisible: `issues.is_pull IN (${kinds.join()})`, joinsRepositories: false, params: {} };
  }
}
