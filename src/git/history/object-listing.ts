import type { PathFilter } from "../diff/paths.ts";
import { CorruptObject } from "../errors.ts";
import type { Commits } from "../graph/commits.ts";
import { decodeName, encodeName, toLatin1 } from "../objects/names.ts";
import { ObjectWalk } from "../objects/object-walk.ts";
import { OidTable } from "../objects/oid-table.ts";
import { parseTag } from "../objects/tag.ts";
import { isTreeMode } from "../objects/tree.ts";
import type { TreeCursor } from "../objects/tree-cursor.ts";
import type { Oid } from "../objects/types.ts";
import type { RevisionWalk } from "./walk/walk.ts";

/** Objects named besides commits, and the paths the listing is limited to. */
export interface ObjectRequest {
  readonly objects: readonly { readonly oid: Oid; readonly name: string; readonly uninteresting: boolean }[];
  readonly filter?: PathFilter | undefined;
}

/**
 * The objects that commits need, each once, with the path where it was first found, in the order of `git rev-list
 * --objects`: after the commits, and without the objects of the excluded commits at the boundary.
 */
export class ObjectListing {
  private readonly trees: Oid[] = [];
  /** Flagged once listed or excluded. */
  private readonly ids: OidTable;
  private readonly excluded: ObjectWalk<true>;
  private readonly listed: ObjectWalk<string>;
  private visit: (oid: Oid, path: string) => void = () => {};

  constructor(
    private readonly commits: Commits,
    private readonly request: ObjectRequest,
    private readonly walk: RevisionWalk,
  ) {
    const { store } = commits;
    this.ids = new OidTable(store.format);
    const numbers = {
      format: store.format,
      find: (_data: Uint8Array, view: DataView, at: number) => this.ids.add(view, at),
      oidOf: (slot: number) => this.ids.oidOf(slot),
    };
    // Every id has a slot here; a missing object is noticed when it is read.
    const missing = () => {};
    const readIfThere = (slot: number) => store.read(this.ids.oidOf(slot));
    const read = (slot: number) => {
      const object = readIfThere(slot);
      if (!object) throw new CorruptObject(`tree ${this.ids.oidOf(slot)} is missing`);
      return object;
    };
    const exclude = (slot: number) => (this.isNew(slot) ? (true as const) : undefined);
    this.excluded = new ObjectWalk({ ...numbers, read: readIfThere }, { missing, entry: exclude }, true);
    const list = (slot: number, cursor: TreeCursor, path: string) => this.list(slot, cursor, path);
    this.listed = new ObjectWalk({ ...numbers, read }, { missing, entry: list }, false);
    for (const position of walk.known()) this.excludeEdge(position);
    for (const { oid, uninteresting } of request.objects) if (uninteresting) this.excludeObject(oid);
  }

  /** Adds a commit that was shown. */
  addCommit(position: number): void {
    this.trees.push(this.commits.treeOf(position));
  }

  /** Visits every object, tags and other named objects first. @throws CorruptObject when a tree is missing */
  each(visit: (oid: Oid, path: string) => void): void {
    this.visit = visit;
    for (const { oid, name, uninteresting } of this.request.objects) if (!uninteresting) this.visitNamed(oid, name);
    for (const tree of this.trees) this.visitTree(tree, "");
  }

  private visitNamed(oid: Oid, name: string): void {
    const { store } = this.commits;
    const colon = name.indexOf(":");
    let path = colon > 0 ? name.slice(colon + 1) : "";
    for (let at = oid; ; ) {
      const type = store.header(at)?.type;
      if (type === undefined) throw new CorruptObject(`object ${at} is missing`);
      if (type === "commit") return;
      if (type === "tree") {
        this.visitTree(at, path);
        return;
      }
      const isNew = this.isNew(this.ids.addOid(at));
      if (type === "blob") {
        if (isNew) this.visit(at, path);
        return;
      }
      const tag = parseTag(store.read(at)!.data);
      if (isNew) this.visit(at, tag.name);
      path = "";
      at = tag.object;
    }
  }

  private visitTree(tree: Oid, path: string): void {
    const slot = this.ids.addOid(tree);
    if (!this.isNew(slot)) return;
    this.visit(tree, path);
    this.listed.enter(slot, path === "" ? "" : `${path}/`);
  }

  /** @param above the path of the directory, with a trailing slash */
  private list(slot: number, cursor: TreeCursor, above: string): string | undefined {
    const path = above + decodeName(cursor.data, cursor.nameStart, cursor.nameEnd);
    if (!this.isWanted(path, cursor.mode) || !this.isNew(slot)) return undefined;
    this.visit(this.ids.oidOf(slot), path);
    return `${path}/`;
  }

  /** A directory is entered if it matches itself or begins a requested path; git goes no further for patterns. */
  private isWanted(path: string, mode: number): boolean {
    const { filter } = this.request;
    if (!filter) return true;
    const bytes = toLatin1(encodeName(path));
    return filter.matches(bytes, mode) || (isTreeMode(mode) && filter.leadsInto(bytes));
  }

  /** Excludes the objects of the excluded commits next to the range. */
  private excludeEdge(position: number): void {
    const outside = this.walk.isUninteresting(position) ? [position] : this.walk.parentsOf(position);
    for (const at of outside) if (this.walk.isUninteresting(at)) this.exclude(this.commits.treeOf(at));
  }

  private excludeObject(oid: Oid): void {
    const { store } = this.commits;
    const type = store.header(oid)?.type;
    if (type === "tree") this.exclude(oid);
    else if (type !== undefined && type !== "commit") this.isNew(this.ids.addOid(oid));
    if (type === "tag") this.excludeObject(parseTag(store.read(oid)!.data).object);
  }

  private exclude(tree: Oid): void {
    const slot = this.ids.addOid(tree);
    if (this.isNew(slot)) this.excluded.enter(slot, true);
  }

  private isNew(slot: number): boolean {
    const { flags } = this.ids;
    if (flags[slot] !== 0) return false;
    flags[slot] = 1;
    return true;
  }
}
