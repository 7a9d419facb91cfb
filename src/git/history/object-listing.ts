import type { PathFilter } from "../diff/paths.ts";
import { CorruptObject } from "../errors.ts";
import type { Commits } from "../graph/commits.ts";
import { decodeName, encodeName, toLatin1 } from "../objects/names.ts";
import { parseTag } from "../objects/tag.ts";
import { isTreeMode, MODE_GITLINK } from "../objects/tree.ts";
import { openTree } from "../objects/tree-cursor.ts";
import type { Oid } from "../objects/types.ts";
import type { RevisionWalk } from "./walk/walk.ts";

/** What was named besides commits, and the paths the listing is limited to. */
export interface ObjectRequest {
  readonly objects: readonly { readonly oid: Oid; readonly name: string; readonly uninteresting: boolean }[];
  readonly filter?: PathFilter | undefined;
}

/**
 * The objects commits need, each once, with the path it was first met at, in the order of `git rev-list --objects`:
 * after the commits, and without what the excluded commits at the border have.
 */
export class ObjectListing {
  private readonly trees: Oid[] = [];
  private readonly seen = new Set<Oid>();

  constructor(
    private readonly commits: Commits,
    private readonly request: ObjectRequest,
    private readonly walk: RevisionWalk,
  ) {
    for (const position of walk.known()) this.excludeEdge(position);
    for (const { oid, uninteresting } of request.objects) if (uninteresting) this.excludeObject(oid);
  }

  /** Takes a commit that was shown. */
  addCommit(position: number): void {
    this.trees.push(this.commits.treeOf(position));
  }

  /** Tells of every object: tags and what else was named first. @throws CorruptObject when a tree is missing */
  each(visit: (oid: Oid, path: string) => void): void {
    for (const { oid, name, uninteresting } of this.request.objects)
      if (!uninteresting) this.visitNamed(oid, name, visit);
    for (const tree of this.trees) this.visitTree(tree, "", visit);
  }

  private visitNamed(oid: Oid, name: string, visit: (oid: Oid, path: string) => void): void {
    const { store } = this.commits;
    const colon = name.indexOf(":");
    let path = colon > 0 ? name.slice(colon + 1) : "";
    for (let at = oid; ; ) {
      const type = store.header(at)?.type;
      if (type === undefined) throw new CorruptObject(`object ${at} is missing`);
      if (type === "commit") return;
      if (type === "tree") {
        this.visitTree(at, path, visit);
        return;
      }
      const isNew = this.isNew(at);
      if (type === "blob") {
        if (isNew) visit(at, path);
        return;
      }
      const tag = parseTag(store.read(at)!.data);
      if (isNew) visit(at, tag.name);
      path = "";
      at = tag.object;
    }
  }

  private visitTree(tree: Oid, path: string, visit: (oid: Oid, path: string) => void): void {
    if (!this.isNew(tree)) return;
    visit(tree, path);
    const cursor = openTree(this.commits.store, tree);
    while (cursor.next()) {
      const entry = decodeName(cursor.data, cursor.nameStart, cursor.nameEnd);
      const whole = path === "" ? entry : `${path}/${entry}`;
      if (cursor.mode === MODE_GITLINK || !this.isWanted(whole, cursor.mode)) continue;
      if (cursor.isTree) this.visitTree(cursor.oid(), whole, visit);
      else if (this.isNew(cursor.oid())) visit(cursor.oid(), whole);
    }
  }

  /** A directory is looked into when it is wanted itself or begins a wanted path; git looks no further for patterns. */
  private isWanted(path: string, mode: number): boolean {
    const { filter } = this.request;
    if (!filter) return true;
    const bytes = toLatin1(encodeName(path));
    return filter.matches(bytes, mode) || (isTreeMode(mode) && filter.leadsInto(bytes));
  }

  /** What the excluded commits next to the range have is not listed. */
  private excludeEdge(position: number): void {
    const outside = this.walk.isUninteresting(position) ? [position] : this.walk.parentsOf(position);
    for (const at of outside) if (this.walk.isUninteresting(at)) this.exclude(this.commits.treeOf(at));
  }

  private excludeObject(oid: Oid): void {
    const { store } = this.commits;
    const type = store.header(oid)?.type;
    if (type === "tree") this.exclude(oid);
    else if (type !== undefined && type !== "commit") this.seen.add(oid);
    if (type === "tag") this.excludeObject(parseTag(store.read(oid)!.data).object);
  }

  private exclude(tree: Oid): void {
    const waiting = [tree];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (!this.isNew(at) || !this.commits.store.has(at)) continue;
      const cursor = openTree(this.commits.store, at);
      while (cursor.next()) {
        if (cursor.isTree) waiting.push(cursor.oid());
        else if (cursor.mode !== MODE_GITLINK) this.seen.add(cursor.oid());
      }
    }
  }

  private isNew(oid: Oid): boolean {
    if (this.seen.has(oid)) return false;
    this.seen.add(oid);
    return true;
  }
}
