import { CorruptObject, GitError, ObjectTooLarge } from "../errors.ts";
import { type BlobRole, checkObject, tooLargeProblem } from "../object-checks/fsck.ts";
import { severityOf } from "../object-checks/problems.ts";
import { checkTree } from "../object-checks/tree.ts";
import { hashObject } from "../objects/hash.ts";
import type { GitObject, ObjectType, Oid } from "../objects/types.ts";
import { LooseObjects } from "../odb/loose.ts";
import type { ObjectStore } from "../odb/store.ts";
import { typeOfKind } from "../packs/entry.ts";
import type { PackFile } from "../packs/pack-file.ts";
import { OWN_LIMITS } from "../receive/index-pack.ts";
import { PackIndexing } from "../receive/pack-indexing.ts";
import { eachLink, whyUnreadable } from "./links.ts";
import { ERROR_OBJECT, ERROR_PACK, type FsckListener, type FsckOptions } from "./listener.ts";
import { HAS, type ObjectTable, USED } from "./object-table.ts";

const MAX_LOOSE_BYTES = 512 * 1024 * 1024;

/** Examines every object once: whether it matches its id, whether it is sound, and what it points to. */
export class Scan {
  /** Bits of git's exit status. */
  errors = 0;
  /** A tree links to an object as the wrong type: a history walk will run into that again. */
  mistaken = false;
  /** Git's messages about unreadable objects, repeated each time it tries to read them. */
  readonly unreadable = new Map<Oid, readonly string[]>();
  private readonly specials: Readonly<Record<BlobRole, Set<Oid>>> = {
    gitmodules: new Set(),
    gitattributes: new Set(),
  };

  constructor(
    private readonly store: ObjectStore,
    private readonly objects: ObjectTable,
    private readonly options: FsckOptions,
    private readonly listener: FsckListener,
  ) {}

  /** Scans loose objects. `nameOf` returns a path as git would print it. */
  loose(objectsDir: string, nameOf: (path: string) => string): void {
    const loose = new LooseObjects(objectsDir, this.store.format);
    try {
      for (const oid of loose.list()) {
        this.options.signal?.throwIfAborted();
        const name = nameOf(loose.path(oid));
        const object = this.readLoose(loose, oid, name);
        if (object) this.take(this.objects.table.addOid(oid), object, `could not be parsed: ${name}`, ERROR_OBJECT);
      }
    } finally {
      loose.close();
    }
  }

  private readLoose(loose: LooseObjects, oid: Oid, name: string): GitObject | undefined {
    try {
      const object = loose.read(oid, MAX_LOOSE_BYTES);
      if (!object) return undefined;
      const actual = hashObject(this.store.format, object.type, object.data);
      if (actual === oid) return object;
      this.unreadable.set(oid, [`hash mismatch ${oid}`]);
      this.fail(ERROR_OBJECT, `${actual}: hash-path mismatch, found at: ${name}`);
    } catch (error) {
      if (error instanceof ObjectTooLarge) this.has(oid, "blob");
      else if (error instanceof GitError) this.fail(ERROR_OBJECT, `${oid}: object corrupt or missing: ${name}`);
      else throw error;
    }
    return undefined;
  }

  /** Scans a whole pack: processed like a received one, which reads each byte once. */
  async pack(pack: PackFile): Promise<void> {
    const { format } = this.store;
    const signal = this.options.signal;
    const indexing = new PackIndexing({
      fd: pack.fd,
      isStored: true,
      format,
      completeThin: false,
      checks: "none",
      limits: OWN_LIMITS,
      ...(signal ? { signal } : {}),
    });
    const { indexer } = indexing;
    const id = new DataView(new ArrayBuffer(format.oidBytes));
    const slotOf = (slot: number) => {
      indexer.objectLinks.table.write(slot, id, 0);
      return this.objects.table.add(id, 0);
    };
    indexer.onObject = (slot, kind, { bytes, start, length }) => {
      this.takePacked(slotOf(slot), { type: typeOfKind(kind)!, data: bytes.subarray(start, start + length) });
    };
    try {
      await indexing.run(piecesOf(pack));
      for (const entry of indexer.streamed) {
        const slot = slotOf(indexer.entries.slots[entry]!);
        if (this.objects.take(slot, "blob")) this.objects.mark(slot, HAS);
      }
      this.compareIndex(pack, (oid) => indexer.objectLinks.table.findOid(oid) >= 0);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      this.fail(ERROR_PACK, `${pack.stem}.pack: ${error.message}`);
      this.eachOfPack(pack);
    } finally {
      indexing.close();
    }
  }

  private compareIndex(pack: PackFile, isThere: (oid: Oid) => boolean): void {
    for (let row = 0; row < pack.index.objectCount; row++) {
      const oid = pack.index.oidOf(row);
      if (!isThere(oid)) this.fail(ERROR_PACK, `${pack.stem}.idx: object ${oid} is not in the pack`);
    }
  }

  /** Scans a damaged pack object by object: what can be read counts. */
  private eachOfPack(pack: PackFile): void {
    const { format } = this.store;
    for (let row = 0; row < pack.index.objectCount; row++) {
      this.options.signal?.throwIfAborted();
      const oid = pack.index.oidOf(row);
      const offset = pack.index.find(oid);
      try {
        const { type, data } = pack.object(offset, oid);
        if (hashObject(format, type, data) === oid) this.takePacked(this.objects.table.addOid(oid), { type, data });
        else this.fail(ERROR_PACK, `packed ${oid} from ${pack.stem}.pack is corrupt`);
      } catch (error) {
        if (!(error instanceof GitError)) throw error;
        this.fail(ERROR_PACK, `cannot unpack ${oid} from ${pack.stem}.pack at offset ${offset}`);
      }
    }
  }

  /** Checks files that git itself interprets, wherever trees use those names. */
  specialFiles(): void {
    for (const role of ["gitmodules", "gitattributes"] as const) {
      for (const oid of [...this.specials[role]].sort()) this.special(role, oid);
    }
  }

  private special(role: BlobRole, oid: Oid): void {
    const tell = (...problem: Parameters<typeof this.problem>) => {
      if (this.problem(...problem)) this.errors |= ERROR_OBJECT;
    };
    const type = this.typeNow(oid);
    if (type === undefined) tell("blob", oid, `${role}Missing`, `unable to read .${role} blob`);
    else if (type !== "blob") tell(type, oid, `${role}Blob`, `non-blob found at .${role}`);
    else {
      const tooLarge = tooLargeProblem(role, this.store.header(oid)?.sizeBytes ?? 0);
      const data = tooLarge ? undefined : this.store.read(oid)?.data;
      const problems = tooLarge ? [tooLarge] : data ? checkObject(this.store.format, "blob", data, role) : [];
      for (const { id, message } of problems) tell("blob", oid, id, message);
    }
  }

  private typeNow(oid: Oid): ObjectType | undefined {
    try {
      return this.store.header(oid)?.type;
    } catch (error) {
      if (error instanceof GitError) return undefined;
      throw error;
    }
  }

  private has(oid: Oid, type: ObjectType): void {
    const slot = this.objects.table.addOid(oid);
    if (this.objects.take(slot, type)) this.objects.mark(slot, HAS);
  }

  private takePacked(slot: number, object: GitObject): void {
    this.take(slot, object, "corrupt or missing", ERROR_PACK);
  }

  /** @param bit the bit of git's exit status for an unsound object stored there */
  private take(slot: number, { type, data }: GitObject, ifUnreadable: string, bit: number): void {
    const { objects, store, options } = this;
    if (objects.is(slot, HAS)) return;
    let broken = false;
    const complaints: string[] = [];
    const link = (target: number, as: ObjectType) => {
      if (objects.take(target, as)) {
        if (!broken) objects.mark(target, USED);
        return;
      }
      const oid = objects.oidOf(target);
      const mistake = `object ${oid} is a ${objects.typeOf(target)}, not a ${as}`;
      if (type === "tree") {
        this.listener.error(mistake);
        this.mistaken = true;
        broken = true;
        return;
      }
      // After that, git reads no more of a commit or tag.
      const own = objects.oidOf(slot);
      const pointer = as === "tree" ? `bad tree pointer ${oid}` : `bad parent ${oid}`;
      complaints.push(mistake, type === "tag" ? `bad tag pointer to ${oid} in ${own}` : `${pointer} in commit ${own}`);
      throw new CorruptObject(mistake);
    };
    const isKind = objects.take(slot, type);
    const readable = isKind && (type === "tree" || ((type !== "tag" || isTag(data)) && this.follow(type, data, link)));
    if (!readable) {
      const why = whyUnreadable(type, data, store.format, objects.oidOf(slot));
      if (!isKind) complaints.push(`object ${objects.oidOf(slot)} is a ${objects.typeOf(slot)}, not a ${type}`);
      else if (complaints.length === 0 && why !== undefined) complaints.push(why);
      this.unreadable.set(objects.oidOf(slot), complaints);
      for (const complaint of complaints) this.listener.error(complaint);
      this.fail(ERROR_OBJECT | bit, `${objects.oidOf(slot)}: object ${ifUnreadable}`);
      return;
    }
    objects.mark(slot, HAS);
    if (type === "blob" || options.connectivityOnly) {
      if (type === "tree") this.follow(type, data, link);
      return;
    }
    if (type === "tree" && !this.follow(type, data, link)) broken = true;
    if (broken) this.fault(type, objects.oidOf(slot), "broken links");
    const sound = this.inspect(slot, type, data);
    if (!sound) this.errors |= bit;
    if (sound && type === "commit" && options.root && isRoot(data, store))
      this.listener.line(`root ${objects.oidOf(slot)}`);
    if (sound && type === "tag" && options.tags) this.listener.line(taggedLine(data, objects.oidOf(slot)));
  }

  private follow(type: ObjectType, data: Uint8Array, link: (slot: number, type: ObjectType) => void): boolean {
    try {
      eachLink(type, data, this.store.format, this.objects.table, link);
      return true;
    } catch (error) {
      if (error instanceof GitError) return false;
      throw error;
    }
  }

  /** Reports fsck's findings for the object; returns whether none of them is an error. */
  private inspect(slot: number, type: ObjectType, data: Uint8Array): boolean {
    const { format } = this.store;
    const { strict } = this.options;
    let sound = true;
    const tell = (id: Parameters<typeof severityOf>[0], message: string): false => {
      if (this.problem(type, this.objects.oidOf(slot), id, message)) sound = false;
      return false;
    };
    if (type === "tree") {
      const special = (file: BlobRole, oidAt: number) => {
        this.specials[file].add(Buffer.from(data.buffer, data.byteOffset + oidAt, format.oidBytes).toString("hex"));
      };
      checkTree(data, format, { entry() {}, special }, tell, strict);
    } else for (const { id, message } of checkObject(format, type, data)) tell(id, message);
    return sound;
  }

  /** Reports a problem, and returns whether it is an error. */
  private problem(type: ObjectType, oid: Oid, id: Parameters<typeof severityOf>[0], message: string): boolean {
    const severity = severityOf(id, this.options.strict);
    // git's messages are C strings.
    this.listener.told(`${severity} in ${type} ${oid}: ${id}: ${message.split("\0")[0]}`);
    return severity === "error";
  }

  private fault(type: ObjectType, oid: Oid, message: string): void {
    this.listener.told(`error in ${type} ${oid}: ${message}`);
    this.errors |= ERROR_OBJECT;
  }

  private fail(bit: number, message: string): void {
    this.errors |= bit;
    this.listener.error(message);
  }
}

/** git's tag parser requires a line with the name, too. */
function isTag(data: Uint8Array): boolean {
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("latin1");
  return /^object [0-9a-fA-F]+\ntype [a-z]+\ntag [^\n]*\n/.test(text);
}

function isRoot(data: Uint8Array, { format }: ObjectStore): boolean {
  const at = "tree \n".length + format.oidDigits;
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("latin1", at, at + 7) !== "parent ";
}

function taggedLine(data: Uint8Array, oid: Oid): string {
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("latin1");
  const [, object, type, name] = /^object (\S+)\ntype (\S+)\ntag ([^\n]*)/.exec(text) ?? [];
  return `tagged ${type} ${object} (${name}) in ${oid}`;
}

async function* piecesOf(pack: PackFile): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(256 * 1024);
  for (let at = 0; ; ) {
    const got = pack.readRaw(buffer, at);
    if (got === 0) return;
    yield buffer.subarray(0, got);
    at += got;
  }
}
