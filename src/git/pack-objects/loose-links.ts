import { eachLinkedId } from "../objects/links.ts";
import type { Oid } from "../objects/types.ts";
import type { ObjectStore } from "../odb/store.ts";

/**
 * The objects reachable from loose objects. Edits through the API are loose and refer to packed objects until
 * maintenance packs them. They are few.
 */
export class LooseLinks {
  private readonly loose: ReadonlySet<Oid>;
  private readonly visited = new Set<Oid>();

  constructor(private readonly store: ObjectStore) {
    this.loose = new Set(store.looseOids());
  }

  /** The ids reachable from a loose object that have not been returned before; none for a packed object. */
  below(oid: Oid): Oid[] {
    if (!this.loose.has(oid) || this.visited.has(oid)) return [];
    this.visited.add(oid);
    const found: Oid[] = [];
    const stack = [oid];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      for (const child of this.linksOf(at)) {
        if (this.visited.has(child)) continue;
        this.visited.add(child);
        found.push(child);
        if (this.loose.has(child)) stack.push(child);
      }
    }
    return found;
  }

  private linksOf(oid: Oid): Oid[] {
    const header = this.store.header(oid);
    if (!header || header.type === "blob") return [];
    const object = this.store.read(oid);
    const found: Oid[] = [];
    if (object) eachLinkedId(object, this.store.format, (linked) => found.push(linked));
    return found;
  }
}
