import type { Principal } from "../access/principal.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import { type EventContext, storedPrincipal } from "../events/types.ts";
import type { Clock } from "../kernel/clock.ts";
import { NotFound, ValidationFailed } from "../kernel/errors.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import { requireOwner } from "../organizations/service.ts";
import { requireItemsRead, requireItemsWrite } from "../repos/items-level.ts";
import type { LabelSets } from "../repos/templates/label-sets.ts";
import type { LabelTemplate } from "../repos/templates/labels.ts";
import type { Repo, SeenRepo } from "../repos/types.ts";
import type { LabelEvent } from "./events.ts";
import * as store from "./store.ts";
import type { Label, LabelEdit, LabelHome, LabelOrder, NewLabel } from "./types.ts";
import { checkColor, checkLabelDescription, checkLabelName, MAX_LABELS } from "./values.ts";

/** Labels of repositories and organizations (contract issues.md 13). */
export class LabelService {
  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly labelSets: LabelSets,
  ) {}

  /** Labels by id, for display; missing ones are left out. */
  byIds(ids: readonly number[]): Map<number, Label> {
    return store.findLabels(this.db, ids);
  }

  /** The labels with these ids that the repository's items may have: the repository's own, and its organization's. */
  usable({ repo, owner }: SeenRepo, ids: readonly number[]): Label[] {
    const found = [...this.byIds(ids).values()];
    return found.filter(({ repoId, ownerId }) => repoId === repo.id || ownerId === owner.id);
  }

  /** Labels with these names that the repository's items may have: the repository's own, and its organization's. */
  usableNamed({ repo, owner }: SeenRepo, names: readonly string[]): Label[] {
    if (names.length === 0) return [];
    const own = store.findLabelsNamed(this.db, { repoId: repo.id }, names);
    if (owner.kind !== "organization") return own;
    return [...own, ...store.findLabelsNamed(this.db, { ownerId: owner.id }, names)];
  }

  /** All labels that the repository's items may have, by name: the repository's own, then its organization's. */
  allUsable({ repo, owner }: SeenRepo): Label[] {
    const all = { limit: MAX_LABELS, offset: 0 };
    const own = store.listLabels(this.db, { repoId: repo.id }, "name", all).items;
    if (owner.kind !== "organization") return own;
    return [...own, ...store.listLabels(this.db, { ownerId: owner.id }, "name", all).items];
  }

  /**
   * @param text part of a name or description; empty: all.
   * @throws NotFound the principal may not see labels here
   */
  list(home: LabelHome, order: LabelOrder, paging: Pick<Paging, "limit" | "offset">, text = ""): Slice<Label> {
    requireRead(home);
    return store.listLabels(this.db, ownerOf(home), order, paging, text);
  }

  /** @throws NotFound no such label here */
  get(home: LabelHome, id: number): Label {
    requireRead(home);
    const found = this.byIds([id]).get(id);
    if (!found || !isOf(found, home)) throw missing(home, id);
    return found;
  }

  /** The oldest label with that name. @throws NotFound */
  named(home: LabelHome, name: string): Label {
    requireRead(home);
    const [found] = store.findLabelsNamed(this.db, ownerOf(home), [name]);
    if (!found) throw missing(home, 0);
    return found;
  }

  /** @throws NotFound the labels may not be seen; Forbidden they may not be changed */
  requireWrite(home: LabelHome): void {
    if (isRepo(home)) requireItemsWrite(home);
    else requireOwner(home);
  }

  /** @throws Forbidden; ValidationFailed a bad value, or the maximum is reached */
  create(home: LabelHome, given: NewLabel): Label {
    this.requireWrite(home);
    return this.db.transaction(() => {
      this.requireRoom(home, 1);
      const made = store.insertLabel(this.db, ownerOf(home), this.values(given), this.clock());
      this.tell(home, "label.created", made);
      return made;
    });
  }

  /** Absent fields are left unchanged. @throws NotFound, Forbidden, ValidationFailed */
  edit(home: LabelHome, id: number, edit: LabelEdit): Label {
    this.requireWrite(home);
    return this.db.transaction(() => {
      const values = this.values(edit, this.get(home, id));
      const changed = store.updateLabel(this.db, id, values, this.clock());
      if (!changed) throw missing(home, id);
      this.tell(home, "label.edited", changed);
      return changed;
    });
  }

  /** Removes the label from all items and timelines. Does nothing if it does not exist here. @throws Forbidden */
  delete(home: LabelHome, id: number): void {
    this.requireWrite(home);
    this.db.transaction(() => {
      const found = this.byIds([id]).get(id);
      if (!found || !isOf(found, home)) return;
      store.deleteLabel(this.db, id);
      this.outbox.append("label.deleted", contextOf(home), { labelId: id, name: found.name });
    });
  }

  /**
   * Adds the labels of a set, skipping names that already exist.
   * @throws NotFound no such set; Forbidden; ValidationFailed too many
   */
  addTemplate(home: LabelHome, name: string): void {
    this.requireWrite(home);
    const template = this.labelSets.find(name);
    if (!template) throw new NotFound("label.no-such-template", { params: { name } });
    this.db.transaction(() => {
      const owner = ownerOf(home);
      const names = template.map((label) => label.name);
      const there = new Set(store.findLabelsNamed(this.db, owner, names).map((label) => label.name));
      const wanted = template.filter((label) => !there.has(label.name));
      this.requireRoom(home, wanted.length);
      for (const each of wanted)
        this.tell(home, "label.created", store.insertLabel(this.db, owner, fromTemplate(each), this.clock()));
    });
  }

  /** Adds a label set to a new repository. Joins the running transaction. */
  begin(repoId: number, name: string): void {
    for (const each of this.labelSets.find(name) ?? [])
      store.insertLabel(this.db, { repoId }, fromTemplate(each), this.clock());
  }

  /** Copies another repository's labels to a new one. Joins the running transaction. */
  copy({ repo }: SeenRepo, made: Repo, principal: Principal): void {
    const all = store.listLabels(this.db, { repoId: repo.id }, "name", { limit: MAX_LABELS, offset: 0 }).items;
    const context = { repoId: made.id, ownerId: made.ownerId, principal: storedPrincipal(principal) };
    for (const each of all) {
      const { id } = store.insertLabel(this.db, { repoId: made.id }, each, this.clock());
      this.outbox.append("label.created", context, { labelId: id });
    }
  }

  private requireRoom(home: LabelHome, more: number): void {
    if (store.countLabels(this.db, ownerOf(home)) + more > MAX_LABELS)
      throw new ValidationFailed("label.too-many", { params: { max: MAX_LABELS } });
  }

  private values(edit: LabelEdit, before?: Label): store.LabelValues {
    const { name, color, description, isExclusive, exclusiveOrder, isArchived } = edit;
    const wasArchivedAt = before?.archivedAt;
    return {
      name: name === undefined && before ? before.name : checkLabelName(name ?? ""),
      color: color === undefined && before ? before.color : checkColor(color ?? ""),
      description: description === undefined ? (before?.description ?? "") : checkLabelDescription(description),
      isExclusive: isExclusive ?? before?.isExclusive ?? false,
      exclusiveOrder: exclusiveOrder ?? before?.exclusiveOrder ?? 0,
      archivedAt: (isArchived ?? wasArchivedAt !== undefined) ? (wasArchivedAt ?? this.clock()) : undefined,
    };
  }

  private tell(home: LabelHome, kind: LabelEvent, { id }: Label): void {
    this.outbox.append(kind, contextOf(home), { labelId: id });
  }
}

const isRepo = (home: LabelHome): home is SeenRepo => "repo" in home;

/** Organizations are only found if visible, so they need no check here. */
function requireRead(home: LabelHome): void {
  if (isRepo(home)) requireItemsRead(home);
}

function ownerOf(home: LabelHome): store.LabelOwner {
  return isRepo(home) ? { repoId: home.repo.id } : { ownerId: home.organization.id };
}

function isOf({ repoId, ownerId }: Label, home: LabelHome): boolean {
  return isRepo(home) ? repoId === home.repo.id : ownerId === home.organization.id;
}

function contextOf(home: LabelHome): EventContext {
  const principal = storedPrincipal(home.principal);
  return isRepo(home)
    ? { repoId: home.repo.id, ownerId: home.owner.id, principal }
    : { ownerId: home.organization.id, principal };
}

function missing(home: LabelHome, id: number): NotFound {
  return isRepo(home) ? new NotFound("label.missing", { params: { id, repoId: home.repo.id } }) : new NotFound();
}

function fromTemplate({ color, description, exclusive, exclusiveOrder = 0, name }: LabelTemplate): store.LabelValues {
  return { name, color, description, isExclusive: exclusive, exclusiveOrder, archivedAt: undefined };
}
