import type { Commits } from "../../git/graph/commits.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { Ref } from "../../git/refs/types.ts";
import { timesOfTips } from "./tips.ts";

/** A branch or tag. */
export interface DatedRef {
  /** Without `refs/heads/` or `refs/tags/`. */
  readonly shortName: string;
  readonly oid: Oid;
  /** The object an annotated tag finally points to; absent for everything else. */
  readonly peeled?: Oid;
  /** The time of an annotated tag, otherwise of the commit; seconds since 1970. */
  readonly time: number;
}

/** Many refs in few values, for transfer between threads: an object per ref would take the receiver long. */
export interface PackedRefs {
  /** Short names in list order, each followed by a newline. */
  readonly names: string;
  /** The id and peeled id of each, or as many spaces. */
  readonly ids: string;
  readonly times: Float64Array;
}

/**
 * Sorts refs newest first. Among equal times, branches keep their order, which is by name, and tags reverse it.
 * @param prefix common to all of them: `refs/heads/`
 */
export function packDatedRefs(commits: Commits, refs: readonly Ref[], prefix: string, areTags: boolean): PackedRefs {
  const times = timesOfTips(commits, refs);
  const forward = areTags ? -1 : 1;
  const order = Uint32Array.from(refs.keys()).sort((a, b) => times[b]! - times[a]! || (a - b) * forward);
  let [names, ids] = ["", ""];
  for (const at of order) {
    const { name, oid, peeled } = refs[at]!;
    names += `${name.slice(prefix.length)}\n`;
    ids += oid + (peeled ?? " ".repeat(oid.length));
  }
  return { names, ids, times: Float64Array.from(order, (at) => times[at]!) };
}

/** A page of matches, and the total number. */
interface Found {
  readonly items: DatedRef[];
  readonly total: number;
}

/** A list of refs that creates objects only for those accessed. */
export class DatedRefs {
  private readonly ends: Uint32Array;
  private readonly digits: number;
  private lowered: string | undefined;

  constructor(private readonly packed: PackedRefs) {
    const { ids, names, times } = packed;
    this.ends = new Uint32Array(times.length);
    for (let at = 0, from = 0; at < times.length; at++) {
      const end = names.indexOf("\n", from);
      this.ends[at] = end;
      from = end + 1;
    }
    this.digits = times.length === 0 ? 0 : ids.length / times.length / 2;
  }

  get length(): number {
    return this.ends.length;
  }

  /** Approximate size in memory. */
  get bytes(): number {
    return this.packed.names.length * 2 + this.packed.ids.length + this.length * 12;
  }

  nameAt(place: number): string {
    return this.packed.names.slice(place === 0 ? 0 : this.ends[place - 1]! + 1, this.ends[place]);
  }

  at(place: number): DatedRef {
    const from = place * this.digits * 2;
    const oid = this.packed.ids.slice(from, from + this.digits);
    const peeled = this.packed.ids.slice(from + this.digits, from + this.digits * 2);
    const ref = { shortName: this.nameAt(place), oid, time: this.packed.times[place]! };
    return peeled.startsWith(" ") ? ref : { ...ref, peeled };
  }

  /** The ref of that name; undefined if there is none. */
  find(shortName: string): DatedRef | undefined {
    const place = this.placeOf(shortName);
    return place === undefined ? undefined : this.at(place);
  }

  /**
   * @param part of the name, case-insensitive; empty: all
   * @param without a name to leave out
   */
  page(part: string, { offset, limit }: { readonly offset: number; readonly limit: number }, without?: string): Found {
    const items: DatedRef[] = [];
    let total = 0;
    const left = without === undefined ? undefined : this.placeOf(without);
    for (const place of this.places(part.toLowerCase())) {
      if (place === left) continue;
      if (total >= offset && items.length < limit) items.push(this.at(place));
      total++;
    }
    return { items, total };
  }

  /** The first names that contain `part`. */
  firstNames(part: string, limit: number): string[] {
    const names: string[] = [];
    for (const place of this.places(part.toLowerCase())) {
      if (names.length === limit) break;
      names.push(this.nameAt(place));
    }
    return names;
  }

  private *places(wanted: string): Generator<number> {
    if (wanted === "") {
      for (let place = 0; place < this.length; place++) yield place;
      return;
    }
    if (wanted.includes("\n")) return;
    // A letter whose lowercase form is longer would shift everything after it: such lists are searched name by name.
    this.lowered ??= this.packed.names.toLowerCase();
    if (this.lowered.length !== this.packed.names.length) {
      for (let place = 0; place < this.length; place++)
        if (this.nameAt(place).toLowerCase().includes(wanted)) yield place;
      return;
    }
    let found = this.lowered.indexOf(wanted);
    while (found >= 0) {
      const place = this.lineOf(found);
      yield place;
      found = this.lowered.indexOf(wanted, this.ends[place]! + 1);
    }
  }

  private placeOf(shortName: string): number | undefined {
    if (shortName.includes("\n")) return undefined;
    const { names } = this.packed;
    const found = names.startsWith(`${shortName}\n`) ? 0 : names.indexOf(`\n${shortName}\n`) + 1;
    return found === 0 && !names.startsWith(`${shortName}\n`) ? undefined : this.lineOf(found);
  }

  /** The line that contains a position in the text of names. */
  private lineOf(position: number): number {
    let [low, high] = [0, this.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.ends[middle]! < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
