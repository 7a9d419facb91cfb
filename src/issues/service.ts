import { atLeast, type Level } from "../access/levels.ts";
import { accountOf, type Principal } from "../access/principal.ts";
import type { BlockService } from "../blocks/service.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import type { IdentityService } from "../identity/service.ts";
import type { Clock } from "../kernel/clock.ts";
import { Conflict, Forbidden, NotFound, PreconditionFailed, ValidationFailed } from "../kernel/errors.ts";
import type { MilestoneService } from "../milestones/service.ts";
import type { RepoService } from "../repos/service.ts";
import type { SeenRepo } from "../repos/types.ts";
import { type AssigneeService, refusalsOfEdit } from "./assignees/service.ts";
import { contextOf, eventOf } from "./context.ts";
import { dayOf } from "./deadlines.ts";
import type { Labelling } from "./labelling.ts";
import { mayWrite, requireEdit } from "./rights.ts";
import type { ItemStates } from "./state.ts";
import * as store from "./store.ts";
import { countTasks } from "./tasks.ts";
import type { Timeline } from "./timeline/service.ts";
import type { Issue, IssueParts, SeenIssue } from "./types.ts";
import { checkBody, checkRef, checkTitle } from "./values.ts";

/** Item fields that belong to other areas. */
export interface ItemFields {
  /** Ids of all boards the item should be on. */
  projects: readonly number[] | undefined;
}

/** Applies an area's field to an item being created or edited by someone with write access. */
type Editor<Value> = (item: SeenIssue, value: Value) => void;

/** Without write access everything after `ref` is ignored silently (contract issues.md 3.4). */
export interface NewIssue {
  readonly title: string;
  readonly body?: string | undefined;
  readonly ref?: string | undefined;
  readonly dueAt?: number | undefined;
  /** Account names. */
  readonly assignees?: readonly string[] | undefined;
  /** Ids; those of other repositories are ignored. */
  readonly labels?: readonly number[] | undefined;
  readonly milestoneId?: number | undefined;
  readonly isClosed?: boolean | undefined;
  readonly fields?: Partial<ItemFields> | undefined;
}

/** The requested changes; absent fields are left unchanged. */
export interface IssueEdit {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly ref?: string | undefined;
  /** `null` removes it. */
  readonly dueAt?: number | null | undefined;
  /** Names of all assignees after the edit. */
  readonly assignees?: readonly string[] | undefined;
  /** 0: none. */
  readonly milestoneId?: number | undefined;
  /** `open` or `closed`. */
  readonly state?: string | undefined;
  readonly timeEstimate?: number | undefined;
  /** The text version the edit is based on; if it has changed since, the whole edit is refused. */
  readonly contentVersion?: number | undefined;
  readonly fields?: Partial<ItemFields> | undefined;
}

/** Called in the transaction that sets a title or text; `before` is the previous item, undefined for a new one. */
export type TextListener = (item: SeenIssue, before: Issue | undefined) => void;

export interface IssueNeeds {
  readonly db: Database;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly assignees: AssigneeService;
  readonly blocks: BlockService;
  readonly identity: IdentityService;
  readonly itemStates: ItemStates;
  readonly labelling: Labelling;
  readonly milestones: MilestoneService;
  readonly repos: RepoService;
  readonly timeline: Timeline;
}

/** Issues, and what pull requests share with them (contract issues.md 3). */
export class IssueService {
  private readonly editors = new Map<string, Editor<unknown>>();
  private readonly textListeners: TextListener[] = [];

  constructor(private readonly needs: IssueNeeds) {}

  /** Registers how an area's field is applied; called while areas are wired. */
  addEditor<Name extends keyof ItemFields>(name: Name, edit: Editor<ItemFields[Name]>): void {
    this.editors.set(name, edit as Editor<unknown>);
  }

  onText(listener: TextListener): void {
    this.textListeners.push(listener);
  }

  /** The principal's level on items of that kind; none on pull requests of an empty repository. */
  levelOn({ access, repo }: SeenRepo, item: Pick<Issue, "isPull">): Level {
    if (item.isPull) return repo.isEmpty ? "none" : access.on("pulls");
    return repo.settings.externalTracker ? "none" : access.on("issues");
  }

  /** @throws NotFound neither kind of item may be read */
  requireReadable(seen: SeenRepo): { readonly issues: boolean; readonly pulls: boolean } {
    const issues = atLeast(this.levelOn(seen, { isPull: false }), "read");
    const pulls = atLeast(this.levelOn(seen, { isPull: true }), "read");
    if (!issues && !pulls) throw new NotFound();
    return { issues, pulls };
  }

  /** The repository's item with this number. @throws NotFound missing, or of a kind the principal may not read */
  see(seen: SeenRepo, number: number): SeenIssue {
    const issue = store.findIssue(this.needs.db, seen.repo.id, number);
    const found = issue && this.seenAs(seen, issue);
    if (!found) throw new NotFound();
    return found;
  }

  /** The current state of the item. @throws NotFound it was deleted */
  again({ issue, seen }: SeenIssue): SeenIssue {
    return this.see(seen, issue.number);
  }

  /** The items with these ids that the principal may read, in the order of the ids. */
  seeEach(principal: Principal, ids: readonly number[]): SeenIssue[] {
    const { db, repos } = this.needs;
    const issues = new Map(store.findIssuesById(db, ids).map((issue) => [issue.id, issue]));
    const repoIds = [...new Set([...issues.values()].map(({ repoId }) => repoId))];
    const seen = new Map(repos.seeEach(principal, repoIds).map((each) => [each.repo.id, each]));
    return ids.flatMap((id) => {
      const issue = issues.get(id);
      const repo = issue && seen.get(issue.repoId);
      const found = issue && repo && this.seenAs(repo, issue);
      return found ? [found] : [];
    });
  }

  /** The item with this id without an access check, for work on no one's behalf; undefined if it was deleted. */
  byId(id: number): Issue | undefined {
    return store.findIssuesById(this.needs.db, [id])[0];
  }

  /** The repository's items with these ids that the principal may read, in the order of the ids. */
  inRepo(seen: SeenRepo, ids: readonly number[]): SeenIssue[] {
    const issues = new Map(store.findIssuesById(this.needs.db, ids).map((issue) => [issue.id, issue]));
    return ids.flatMap((id) => {
      const issue = issues.get(id);
      return (issue?.repoId === seen.repo.id && this.seenAs(seen, issue)) || [];
    });
  }

  /** Labels and assignees of many items at once, by item id. */
  partsOf(items: readonly SeenIssue[]): Map<number, IssueParts> {
    return store.partsOf(
      this.needs.db,
      items.map(({ issue }) => issue.id),
    );
  }

  /**
   * Creates an issue.
   * @throws Forbidden the caller may not read issues here, or is blocked; ValidationFailed a bad value;
   * PreconditionFailed
   */
  create(seen: SeenRepo, given: NewIssue): SeenIssue {
    const level = this.levelOn(seen, { isPull: false });
    if (!atLeast(level, "read")) throw new Forbidden("repository.needs-read");
    return this.needs.db.transaction(() => this.insert(seen, { isPull: false, ...given }));
  }

  /**
   * Creates an issue or pull request with everything it starts with. The caller has checked permissions. Joins the
   * running transaction.
   * @param begin adds further data before any event is emitted
   * @throws Forbidden the author is blocked; ValidationFailed a bad value; PreconditionFailed
   */
  insert(
    seen: SeenRepo,
    given: NewIssue & { readonly isPull: boolean },
    begin: (item: SeenIssue) => void = () => {},
  ): SeenIssue {
    const { assignees, blocks, clock, db, labelling, milestones, outbox } = this.needs;
    const { owner, principal, repo } = seen;
    const poster = accountOf(principal);
    blocks.requireUnblocked(owner, poster);
    const isWriter = atLeast(this.levelOn(seen, given), "write");
    const milestone =
      isWriter && given.milestoneId !== undefined ? milestones.find(seen, given.milestoneId) : undefined;
    const body = checkBody(given.body ?? "");
    const values = {
      title: checkTitle(given.title),
      body,
      ref: checkRef(given.ref ?? ""),
      dueAt: isWriter ? given.dueAt : undefined,
      milestoneId: milestone?.id,
      ...countTasks(body),
    };
    const assigned = isWriter ? assignees.named(seen, given.assignees ?? [], refusalsOfEdit) : [];
    const issue = store.insertIssue(db, {
      ...values,
      repoId: repo.id,
      number: store.takeNumber(db, repo.id),
      isPull: given.isPull,
      posterId: poster.id,
      createdAt: clock(),
    });
    const item = { seen, issue, level: this.levelOn(seen, issue) };
    begin(item);
    outbox.append("issue.created", contextOf(seen, issue), eventOf(issue));
    for (const listener of this.textListeners) listener(item, undefined);
    if (isWriter) {
      // The timeline lists the milestone before the labels; webhooks report the labels first (contract webhooks.md
      // 7.2).
      if (milestone) this.enterMilestone(item, undefined, milestone.id);
      labelling.add(item, labelling.usable(item, given.labels ?? []));
      if (milestone) this.tellMilestone(item, undefined, milestone.id);
      assignees.add(item, assigned);
      this.editFields(item, given.fields);
    }
    if (given.isClosed) this.needs.itemStates.set(item, true);
    return this.again(item);
  }

  /**
   * Applies the given changes, all or nothing. The author may change title, text, ref and state; without write access
   * the rest is ignored silently.
   * @throws Forbidden neither the author nor a writer, or blocked; Conflict the text has changed; PreconditionFailed;
   * ValidationFailed a bad value
   */
  edit(item: SeenIssue, edit: IssueEdit): SeenIssue {
    requireEdit(item);
    const { db } = this.needs;
    return db.transaction(() => {
      // As of this transaction: changes made in between count.
      const present = this.again(item);
      this.requireVersion(present, edit.contentVersion);
      this.editTexts(present, edit);
      if (mayWrite(present)) this.editPlan(present, edit);
      if (edit.state !== undefined) this.needs.itemStates.set(present, isClosedState(edit.state));
      if (mayWrite(present)) this.editFields(present, edit.fields);
      return this.again(item);
    });
  }

  /** Runs several changes as one: all of them or, if one is refused, none. */
  together(change: () => void): void {
    this.needs.db.transaction(change);
  }

  /** @throws Forbidden the repository's owner or the item's author blocks the caller; administrators are exempt */
  requireUnblocked({ issue, seen }: SeenIssue): void {
    const { blocks, identity } = this.needs;
    if (atLeast(seen.access.level, "admin")) return;
    const doer = accountOf(seen.principal);
    const poster = issue.posterId === undefined ? undefined : identity.byId(issue.posterId);
    for (const blocker of poster ? [seen.owner, poster] : [seen.owner]) blocks.requireUnblocked(blocker, doer);
  }

  private requireVersion({ issue }: SeenIssue, expected: number | undefined): void {
    if (expected !== undefined && expected !== issue.contentVersion)
      throw new Conflict("issue.changed-meanwhile", { field: "content_version" });
  }

  private editTexts(item: SeenIssue, edit: IssueEdit): void {
    const { db, outbox, timeline } = this.needs;
    const { issue, seen } = item;
    const title = edit.title === undefined || edit.title === "" ? issue.title : checkTitle(edit.title);
    const body = edit.body === undefined ? issue.body : checkBody(edit.body);
    const ref = edit.ref === undefined ? issue.ref : checkRef(edit.ref);
    const before = {
      ...(title === issue.title ? {} : { title: issue.title }),
      // Saving the same text again counts as a change for versions and webhooks (contract webhooks.md 7.2).
      ...(edit.body === undefined ? {} : { body: issue.body }),
      ...(ref === issue.ref ? {} : { ref: issue.ref }),
    };
    const fields = Object.keys(before);
    if (fields.length === 0) return;
    if (fields.includes("title") || fields.includes("body")) this.requireUnblocked(item);
    store.updateIssue(db, issue.id, {
      title,
      body,
      ref,
      contentVersion: issue.contentVersion + (edit.body === undefined ? 0 : 1),
      ...countTasks(body),
    });
    if (title !== issue.title) timeline.append(item, { kind: "change_title", oldText: issue.title, newText: title });
    if (ref !== issue.ref)
      timeline.append(item, { kind: "change_issue_ref", oldText: short(issue.ref), newText: short(ref) });
    this.touch(item);
    outbox.append("issue.edited", contextOf(seen, issue), { ...eventOf(issue), fields, before });
    if (title === issue.title && body === issue.body) return;
    const after = this.again(item);
    for (const listener of this.textListeners) listener(after, issue);
  }

  /** The part of an edit that requires write access. */
  private editPlan(item: SeenIssue, edit: IssueEdit): void {
    const { assignees, db } = this.needs;
    const { issue, seen } = item;
    if (edit.dueAt !== undefined) this.setDueDate(item, edit.dueAt ?? undefined);
    if (edit.timeEstimate !== undefined) store.updateIssue(db, issue.id, { timeEstimate: edit.timeEstimate });
    if (edit.assignees !== undefined) assignees.set(item, assignees.named(seen, edit.assignees, refusalsOfEdit));
    if (edit.milestoneId !== undefined) this.setMilestone(item, edit.milestoneId);
  }

  private editFields(item: SeenIssue, fields: Partial<ItemFields> = {}): void {
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) this.editors.get(name)?.(item, value);
  }

  /** Setting the same day again changes nothing. */
  private setDueDate(item: SeenIssue, dueAt: number | undefined): void {
    const { db, outbox, timeline } = this.needs;
    const { issue, seen } = item;
    if (dueAt === issue.dueAt) return;
    store.updateIssue(db, issue.id, { dueAt: dueAt ?? null });
    const [before, now] = [issue.dueAt, dueAt].map((at) => (at === undefined ? "" : dayOf(at)));
    if (before === "") timeline.append(item, { kind: "added_deadline", body: now });
    else if (now === "") timeline.append(item, { kind: "removed_deadline", body: before });
    else timeline.append(item, { kind: "modified_deadline", body: `${now}|${before}` });
    const payload = { ...eventOf(issue), fields: ["due_date"], before: { due_date: before ?? "" } };
    outbox.append("issue.edited", contextOf(seen, issue), payload);
  }

  /**
   * @param id 0: none.
   * @throws ValidationFailed not a milestone of the repository
   */
  private setMilestone(item: SeenIssue, id: number): void {
    const { db, milestones } = this.needs;
    const { issue, seen } = item;
    const milestone = id > 0 ? milestones.find(seen, id) : undefined;
    if (id > 0 && !milestone) {
      const params = { id, repo: seen.repo.id };
      throw new ValidationFailed("issue.unknown-milestone", { field: "milestone", params });
    }
    if (milestone?.id === issue.milestoneId) return;
    store.updateIssue(db, issue.id, { milestoneId: milestone?.id ?? null });
    this.enterMilestone(item, issue.milestoneId, milestone?.id);
    this.tellMilestone(item, issue.milestoneId, milestone?.id);
  }

  private enterMilestone(item: SeenIssue, oldMilestoneId: number | undefined, milestoneId: number | undefined): void {
    this.needs.timeline.append(item, { kind: "milestone", oldMilestoneId, milestoneId });
  }

  private tellMilestone(item: SeenIssue, oldId: number | undefined, newId: number | undefined): void {
    const payload = { ...eventOf(item.issue), oldId: oldId ?? null, newId: newId ?? null };
    this.needs.outbox.append("issue.milestone-changed", contextOf(item.seen, item.issue), payload);
  }

  private touch({ issue }: SeenIssue): void {
    store.touchIssue(this.needs.db, issue.id, this.needs.clock());
  }

  private seenAs(seen: SeenRepo, issue: Issue): SeenIssue | undefined {
    const level = this.levelOn(seen, issue);
    return atLeast(level, "read") ? { seen, issue, level } : undefined;
  }
}

/** @throws PreconditionFailed neither `open` nor `closed` */
function isClosedState(state: string): boolean {
  if (state !== "open" && state !== "closed")
    throw new PreconditionFailed("issue.unknown-state", { field: "state", params: { state } });
  return state === "closed";
}

/** The short branch name shown in timelines. */
const short = (ref: string) => ref.replace(/^refs\/heads\//, "");
