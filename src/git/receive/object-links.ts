import { BadPack, CorruptObject, UnsoundObject } from "../errors.ts";
import { checkObject, type Problem } from "../object-checks/fsck.ts";
import { type FsckId, severityOf } from "../object-checks/problems.ts";
import { checkTree, type TreeListener } from "../object-checks/tree.ts";
import { eachCommitLink } from "../objects/commit.ts";
import type { ObjectFormat } from "../objects/format.ts";
import { OidTable } from "../objects/oid-table.ts";
import { parseTagLink } from "../objects/tag.ts";
import { eachTreeEntry, isTreeMode, MODE_GITLINK } from "../objects/tree.ts";
import type { ObjectType, Oid } from "../objects/types.ts";
import { kindOfType, typeOfKind } from "../packs/entry.ts";
import { TreeDepth } from "./tree-depth.ts";

/** The object is in the pack. */
export const PRESENT = 1;
/** An object of the pack points to it. */
export const REFERENCED = 2;
/** It was appended to the pack here, as the base of a thin pack's deltas. */
export const APPENDED = 64;
/** An object appended here points to it: part of the pack's boundary, but nothing the push must prove. */
export const BESIDE = 128;
/** It is referenced as a commit, tree, blob or tag: one bit for each kind 1 to 4. */
const expected = (kind: number) => 2 << kind;

/** Ids in trees can be made up for free, and each costs memory here. The largest checkouts have some 500,000 files. */
const MAX_ABSENT = 4_000_000;
const MAX_SPECIALS = 200_000;

/** Maximum number of errors reported for one object. */
const MAX_TOLD = 10;

/** How thoroughly objects are checked: only hashed; read for their links; or checked as `git fsck --strict` does. */
export type Checks = "none" | "links" | "fsck";

export type SpecialRole = "gitmodules" | "gitattributes";

/**
 * Which objects a pack holds and which it points to. Every object is examined once, while its bytes are in memory:
 * checked as fsck does, and its links recorded. The connectivity of a whole history thus needs no second walk: objects
 * pointed to but not in the pack form the boundary, and objects nothing points to are roots.
 */
export class ObjectLinks {
  readonly table: OidTable;
  /** Slots of objects that trees name `.gitmodules` and `.gitattributes`. One blob may have both names. */
  readonly specials: Readonly<Record<SpecialRole, Set<number>>> = { gitmodules: new Set(), gitattributes: new Set() };
  private present = 0;
  readonly depth = new TreeDepth();
  private readonly hasher: Bun.CryptoHasher;
  private readonly digest = new Uint8Array(64);
  private readonly digestView = new DataView(this.digest.buffer);
  private links: DataView = this.digestView;
  private linksAt = 0;
  private readonly listener: TreeListener = {
    entry: (mode, oidAt) => {
      if ((mode & 0o170000) === MODE_GITLINK) return;
      const slot = this.table.addAgain(this.links, this.linksAt + oidAt);
      if (isTreeMode(mode)) {
        this.table.flags[slot]! |= REFERENCED | expected(2);
        this.depth.note(slot);
      } else this.table.flags[slot]! |= REFERENCED | expected(3);
    },
    special: (file, oidAt) => {
      this.specials[file].add(this.table.add(this.links, this.linksAt + oidAt));
    },
  };

  constructor(
    private readonly format: ObjectFormat,
    expectedObjects: number,
    private readonly checks: Checks,
    /** Problems that do not get an object refused. */
    private readonly accepted: readonly FsckId[],
    /** Called with the fsck problems of an object, whether or not it is refused for them. */
    private readonly onProblems: (oid: Oid, problems: readonly Problem[]) => void = () => {},
  ) {
    this.hasher = new Bun.CryptoHasher(format.name);
    this.table = new OidTable(format, expectedObjects);
  }

  /** Begins the id of a streamed object; `hash` takes its pieces, then `enterHashed` ends it. */
  beginHash(kind: number, sizeBytes: number): void {
    this.hasher.update(`${typeOfKind(kind)} ${sizeBytes}\0`);
  }

  hash(piece: Uint8Array): void {
    this.hasher.update(piece);
  }

  /**
   * Enters an object and returns its slot. `view` covers the buffer that holds `data`, at offset `viewAt`.
   * @throws BadPack when the object is malformed or already in the pack
   */
  enter(kind: number, data: Uint8Array, view: DataView, viewAt: number): number {
    this.beginHash(kind, data.length);
    this.hasher.update(data);
    const slot = this.enterHashed();
    if (kind !== 3 && this.checks !== "none") this.inspect(kind, data, view, viewAt, slot);
    return slot;
  }

  /** Enters an object of the repository that was appended to the pack to complete it. */
  enterAppended(kind: number, data: Uint8Array): number {
    this.beginHash(kind, data.length);
    this.hasher.update(data);
    const slot = this.enterHashed();
    this.table.flags[slot]! |= APPENDED;
    if (kind !== 3 && this.checks !== "none") this.noteBeside(kind, data);
    return slot;
  }

  private noteBeside(kind: number, data: Uint8Array): void {
    const note = (slot: number) => {
      this.table.flags[slot]! |= BESIDE;
    };
    if (kind === 1) eachCommitLink(data, this.format, (oidAt) => note(this.table.addHex(data, oidAt)));
    else if (kind === 2) {
      const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
      eachTreeEntry(data, this.format, (mode, _nameStart, _nameEnd, oidAt) => {
        if ((mode & 0o170000) !== MODE_GITLINK) note(this.table.add(view, oidAt));
        return undefined;
      });
    } else note(this.table.addOid(parseTagLink(data).object));
  }

  /** @throws BadPack when the object is already in the pack */
  enterHashed(): number {
    this.hasher.digest(this.digest);
    const slot = this.table.add(this.digestView, 0);
    if (this.table.flags[slot]! & PRESENT) {
      const oid = this.table.oidOf(slot);
      throw new BadPack(`the same object ${oid} appears twice in the pack`, oid);
    }
    this.table.flags[slot]! |= PRESENT;
    this.present++;
    return slot;
  }

  /** Checks a blob in the role that trees give it. @throws BadPack */
  inspectSpecial(role: SpecialRole, data: Uint8Array, oid: Oid): void {
    this.refuse("blob", oid, checkObject(this.format, "blob", data, role));
  }

  /** @throws UnsoundObject when an error is among the problems */
  refuse(type: ObjectType, oid: Oid, problems: readonly Problem[]): void {
    if (this.checks !== "fsck") return;
    if (problems.length > 0) this.onProblems(oid, problems);
    const errors = problems.filter(({ id, severity }) => severity === "error" && !this.accepted.includes(id));
    if (errors.length === 0) return;
    const words = errors.slice(0, MAX_TOLD).map(({ id, message }) => `${id}: ${printable(message)}`);
    const ids = errors.map(({ id }) => id);
    throw new UnsoundObject(`object ${oid}: ${words.join("; ")} (in ${type})`, oid, type === "blob", ids);
  }

  /** Checks that all links to an object of the pack expect its actual type. @throws BadPack */
  checkExpectation(slot: number, kind: number): void {
    const all = expected(1) | expected(2) | expected(3) | expected(4);
    const wanted = this.table.flags[slot]! & all;
    if (wanted === 0 || wanted === expected(kind)) return;
    const oid = this.table.oidOf(slot);
    throw new BadPack(`object ${oid} is a ${typeOfKind(kind)}, but something points to it as another type`, oid);
  }

  /** The type that links to an object outside the pack expect. @throws BadPack when they differ */
  expectedType(slot: number): ObjectType {
    for (const kind of [1, 2, 3, 4]) {
      if (!(this.table.flags[slot]! & expected(kind))) continue;
      this.checkExpectation(slot, kind);
      return typeOfKind(kind)!;
    }
    return "blob";
  }

  private inspect(kind: number, data: Uint8Array, view: DataView, viewAt: number, slot: number): void {
    const type = typeOfKind(kind)!;
    try {
      if (type === "tree") {
        this.links = view;
        this.linksAt = viewAt;
        this.depth.begin(slot);
        const problems: Problem[] = [];
        const report = (id: FsckId, message: string): false => {
          problems.push({ id, severity: severityOf(id, true), message });
          return false;
        };
        const specials = this.specials.gitmodules.size + this.specials.gitattributes.size;
        if (this.table.size - this.present > MAX_ABSENT || specials > MAX_SPECIALS)
          throw new BadPack("the pack points to too many objects it does not bring");
        const readable = checkTree(data, this.format, this.listener, report);
        if (!readable && this.checks !== "fsck") throw new CorruptObject("cannot be parsed as a tree");
        if (problems.length > 0) this.refuse(type, this.table.oidOf(slot), problems);
        return;
      }
      if (this.checks === "fsck") {
        const problems = checkObject(this.format, type, data);
        if (problems.length > 0) this.refuse(type, this.table.oidOf(slot), problems);
      }
      if (type === "commit") {
        eachCommitLink(data, this.format, (oidAt, isTree) => {
          this.table.flags[this.table.addHex(data, oidAt)]! |= REFERENCED | expected(isTree ? 2 : 1);
        });
      } else {
        const { object, type: target } = parseTagLink(data);
        this.reference(object, kindOfType(target));
      }
    } catch (error) {
      if (!(error instanceof CorruptObject)) throw error;
      const oid = this.table.oidOf(slot);
      throw new BadPack(`object ${oid}: ${type === "tree" ? "badTree: " : ""}${error.message} (in ${type})`, oid);
    }
  }

  private reference(oid: Oid, kind: number): void {
    const slot = this.table.addOid(oid);
    this.table.flags[slot]! |= REFERENCED | expected(kind);
  }
}

/** Messages go to the client's terminal: quoted parts of an object must not move its cursor. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?").slice(0, 200);
}
