import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";

/** git's minimum for automatic lengths, however few objects there are. */
const SHORTEST_AUTOMATIC = 7;
const SHORTEST = 4;

/** Allows fast lookups among all ids; implemented by `ObjectStore`. */
interface Stored {
  packs(): readonly { readonly index: Index }[];
  looseOids(): Oid[];
}
interface Index {
  readonly objectCount: number;
  findByPrefix(prefix: string, limit: number): Oid[];
}

/**
 * Shortens ids to a unique prefix, never below a minimum length. Reflects the repository at the time of construction;
 * create a new one for each piece of work.
 */
export class Abbreviator {
  private readonly indexes: readonly Index[] | undefined;
  private readonly loose: ReadonlyMap<string, readonly Oid[]> | undefined;
  private readonly cached = new Map<Oid, string>();
  /** Minimum number of digits; ids are longer only if needed to be unique. */
  readonly minDigits: number;

  /**
   * @param minDigits "auto" derives it from the number of packed objects, as git does without `core.abbrev`: at that
   * length two objects are unlikely to share a prefix
   */
  constructor(
    private readonly store: ObjectSource,
    minDigits: number | "auto" = "auto",
  ) {
    const stored = asStored(store);
    this.indexes = stored?.packs().map(({ index }) => index);
    this.loose = stored && byFirstDigits(stored.looseOids());
    const objects = this.indexes?.reduce((sum, index) => sum + index.objectCount, 0) ?? 0;
    this.minDigits = minDigits === "auto" ? automaticDigits(objects) : Math.max(SHORTEST, minDigits);
  }

  /** The shortened id; the whole id when it is no longer than the minimum. Also works for ids of missing objects. */
  abbreviate(oid: Oid): string {
    const cached = this.cached.get(oid);
    if (cached !== undefined) return cached;
    const short = this.shorten(oid);
    if (this.cached.size > MAX_CACHED) this.cached.clear();
    this.cached.set(oid, short);
    return short;
  }

  private shorten(oid: Oid): string {
    const start = oid.slice(0, this.minDigits);
    if (start.length === oid.length) return oid;
    let digits = start.length;
    for (const other of this.beginningWith(start)) {
      if (other !== oid) digits = Math.max(digits, sharedDigits(oid, other) + 1);
    }
    return oid.slice(0, digits);
  }

  private beginningWith(start: string): readonly Oid[] {
    if (!this.indexes || !this.loose) return this.store.findByPrefix(start, MAX_ALIKE);
    const found: Oid[] = [];
    for (const index of this.indexes) {
      const some = index.findByPrefix(start, MAX_ALIKE);
      if (some.length > 0) found.push(...some);
    }
    for (const oid of this.loose.get(start.slice(0, SHORTEST)) ?? []) if (oid.startsWith(start)) found.push(oid);
    return found;
  }
}

/** Maximum number of ids examined to shorten one. */
const MAX_ALIKE = 4096;
const MAX_CACHED = 100_000;

/** With 2^n objects, collisions are unlikely from about 2n bits on, which are n/2 hexadecimal digits of four bits. */
function automaticDigits(objects: number): number {
  const bits = objects < 1 ? 0 : Math.floor(Math.log2(objects)) + 1;
  return Math.max(SHORTEST_AUTOMATIC, Math.ceil(bits / 2));
}

function sharedDigits(a: Oid, b: Oid): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

function asStored(store: ObjectSource): Stored | undefined {
  return "packs" in store && "looseOids" in store ? (store as ObjectSource & Stored) : undefined;
}

function byFirstDigits(oids: readonly Oid[]): Map<string, Oid[]> {
  const found = new Map<string, Oid[]>();
  for (const oid of oids) {
    const start = oid.slice(0, SHORTEST);
    const same = found.get(start);
    if (same) same.push(oid);
    else found.set(start, [oid]);
  }
  return found;
}
