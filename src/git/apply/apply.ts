import { CorruptObject } from "../errors.ts";
import { isDotGit, isSpecialFile } from "../object-checks/special-names.ts";
import { hashObject } from "../objects/hash.ts";
import { decodeName, encodeName, toLatin1 } from "../objects/names.ts";
import { isTreeMode, MODE_EXECUTABLE, MODE_FILE, MODE_GITLINK, MODE_SYMLINK } from "../objects/tree.ts";
import { MODE_KIND } from "../objects/tree-cursor.ts";
import { isOid, type Oid } from "../objects/types.ts";
import type { Overlay } from "../odb/overlay.ts";
import { applyDelta, readDeltaSizes } from "../packs/delta.ts";
import { entryAt, walkTree } from "../trees.ts";
import { editTree, type NewEntry } from "./edit-tree.ts";
import { type HunkOptions, Image, Work } from "./image.ts";
import { type ParseOptions, parsePatch } from "./parse.ts";
import { type FilePatch, PatchRefused, reversed } from "./patch.ts";

export interface ApplyOptions extends ParseOptions, HunkOptions {
  readonly reverse?: boolean;
  /** Maximum size of a file before and after a hunk is applied; 64 MiB by default. The total may be four times that. */
  readonly maxFileBytes?: number;
}

export interface Applied {
  readonly tree: Oid;
  /** Changed paths that exist afterwards, and those that do not; names as returned by `decodeName`. */
  readonly written: readonly string[];
  readonly removed: readonly string[];
  readonly warnings: readonly string[];
}

const MAX_FILE_BYTES = 64 * 1024 * 1024;

/**
 * Applies a patch to a tree as `git apply --cached` does to an index that holds it: all files or none. New blobs and
 * trees are added to the overlay.
 * @param patch text, or the result of `parsePatch`
 * @throws MalformedPatch, PatchRefused (both in git's words), PatchTooExpensive; CorruptObject if an object is missing
 */
export function applyPatch(
  overlay: Overlay,
  tree: Oid,
  patch: Uint8Array | string | readonly FilePatch[],
  options: ApplyOptions = {},
): Applied {
  const parsed = typeof patch === "string" || patch instanceof Uint8Array ? parsePatch(patch, options) : patch;
  const patches = options.reverse ? parsed.map(reversed).reverse() : parsed.map((file) => ({ ...file }));
  return new Application(overlay, tree, patches, options).run();
}

/** The state of a name after the patches so far. */
type Known = { readonly patch: FilePatch; readonly content: string } | "deleted" | "to be deleted";

class Application {
  private readonly problems: string[] = [];
  private readonly warnings: string[] = [];
  private readonly known = new Map<string, Known>();
  private readonly results: { patch: FilePatch; content: string | Uint8Array }[] = [];
  private readonly linksGone = new Set<string>();
  private readonly linksThere = new Set<string>();
  private readonly work = new Work();
  private bytesMade = 0;

  constructor(
    private readonly overlay: Overlay,
    private readonly tree: Oid,
    private readonly patches: readonly FilePatch[],
    private readonly options: ApplyOptions,
  ) {}

  run(): Applied {
    for (const patch of this.patches) {
      const { oldName, newName, oldMode, newMode, isRename, isDelete } = patch;
      const isLink = (mode: number) => (mode & MODE_KIND) === MODE_SYMLINK;
      if (oldName !== undefined && isLink(oldMode) && (isRename || isDelete)) this.linksGone.add(oldName);
      if (newName !== undefined && isLink(newMode)) this.linksThere.add(newName);
      if (oldName !== undefined && (newName === undefined || isRename)) this.known.set(oldName, "to be deleted");
    }
    for (const patch of this.patches) {
      const problems = this.check(patch);
      this.problems.push(...problems.map((problem) => problem.text));
      if (problems.some(({ ends }) => ends)) break;
    }
    if (this.problems.length > 0) throw new PatchRefused(this.problems.map(shown), this.warnings.map(shown));
    return this.write();
  }

  /** The problems with a file's patch; none if it applies, and then its result is recorded. */
  private check(patch: FilePatch): { text: string; ends?: boolean }[] {
    const preimage = this.checkPreimage(patch);
    if (preimage !== undefined) return [{ text: preimage }];
    const { oldName, newName } = patch;
    const known = newName === undefined ? undefined : this.known.get(newName);
    const mayExist = known === "deleted" || known === "to be deleted";
    if (newName !== undefined && (patch.isNew || patch.isRename || patch.isCopy)) {
      if (!mayExist && this.inTree(newName)) return [{ text: `${newName}: already exists in index` }];
      if (patch.newMode === 0) patch.newMode = patch.isNew ? MODE_FILE : patch.oldMode;
    }
    if (newName !== undefined && oldName !== undefined) {
      if (patch.newMode === 0) patch.newMode = patch.oldMode;
      if (((patch.oldMode ^ patch.newMode) & MODE_KIND) !== 0) {
        const octal = (mode: number) => mode.toString(8);
        const of = oldName === newName ? "" : ` of ${oldName}`;
        return [
          {
            text: `new mode (${octal(patch.newMode)}) of ${newName} does not match old mode (${octal(patch.oldMode)})${of}`,
          },
        ];
      }
    }
    const unsafe = unsafePath(patch);
    if (unsafe !== undefined) return [{ text: `invalid path '${unsafe}'`, ends: true }];
    if (!patch.isDelete && newName !== undefined && this.isBeyondLink(newName))
      return [{ text: `affected file '${newName}' is beyond a symbolic link` }];
    const problems = this.applyContent(patch);
    if (problems.length > 0) problems.push(`${oldName ?? newName}: patch does not apply`);
    return problems.map((text) => ({ text }));
  }

  private checkPreimage(patch: FilePatch): string | undefined {
    const { oldName } = patch;
    if (oldName === undefined) return undefined;
    const previous = this.previous(patch);
    if (previous === "gone") return `path ${oldName} has been renamed/deleted`;
    const found = previous ? { mode: previous.patch.newMode } : this.inTree(oldName);
    if (!found) {
      if (patch.isNew !== undefined) return `${oldName}: does not exist in index`;
      patch.isNew = true;
      patch.isDelete = false;
      patch.oldName = undefined;
      return undefined;
    }
    patch.isNew ??= false;
    if (patch.oldMode === 0) patch.oldMode = found.mode;
    if (((found.mode ^ patch.oldMode) & MODE_KIND) !== 0) return `${oldName}: wrong type`;
    if (found.mode !== patch.oldMode) {
      this.warnings.push(`${oldName} has type ${found.mode.toString(8)}, expected ${patch.oldMode.toString(8)}`);
    }
    if (patch.newMode === 0 && !patch.isDelete) patch.newMode = found.mode;
    return undefined;
  }

  /** An earlier patch's result for the file this one changes. Copies and renames refer to the original state. */
  private previous({ oldName, isCopy, isRename }: FilePatch) {
    const known = isCopy || isRename || oldName === undefined ? undefined : this.known.get(oldName);
    if (known === "to be deleted") return undefined;
    return known === "deleted" ? "gone" : known;
  }

  private applyContent(patch: FilePatch): string[] {
    const { oldName, newName } = patch;
    const name = oldName ?? newName ?? "";
    const before = this.contentBefore(patch);
    if (before === undefined) return [`failed to read ${name}`];
    let content: string | Uint8Array;
    if (patch.isBinary) {
      const made = this.binaryContent(patch, Buffer.from(before, "latin1"), name);
      if (typeof made !== "object") return made === "" ? [] : made.split("\n");
      content = made;
    } else {
      const image = new Image(before, this.work);
      for (const hunk of patch.hunks) {
        if (!image.apply(hunk, this.options)) return [`patch failed: ${name}:${hunk.oldStart}`];
      }
      content = patch.hunks.length === 0 ? before : image.text();
    }
    const maxBytes = this.options.maxFileBytes ?? MAX_FILE_BYTES;
    this.bytesMade += content.length;
    if (content.length > maxBytes || this.bytesMade > 4 * maxBytes) return [`${name} becomes too large`];
    const text = typeof content === "string" ? content : toLatin1(content);
    if (newName !== undefined) this.known.set(newName, { patch, content: text });
    if (oldName !== undefined && (newName === undefined || patch.isRename)) this.known.set(oldName, "deleted");
    if (patch.isDelete && content.length > 0) return ["removal patch leaves file contents"];
    this.results.push({ patch, content });
    return [];
  }

  /** Undefined if it cannot be read. */
  private contentBefore(patch: FilePatch): string | undefined {
    const { oldName } = patch;
    const previous = this.previous(patch);
    if (previous && previous !== "gone") return previous.content;
    const found = oldName === undefined ? undefined : this.inTree(oldName);
    if (!found) return "";
    if (found.mode === MODE_GITLINK) return `Subproject commit ${found.oid}\n`;
    const header = this.overlay.header(found.oid);
    if (!header) throw new CorruptObject(`blob ${found.oid} is missing`);
    if (header.sizeBytes > (this.options.maxFileBytes ?? MAX_FILE_BYTES)) return undefined;
    const object = this.overlay.read(found.oid);
    return object?.type === "blob" ? toLatin1(object.data) : undefined;
  }

  /** The new content, or the problems, one per line. */
  private binaryContent(patch: FilePatch, before: Uint8Array, name: string): Uint8Array | string {
    const { overlay } = this;
    const { format } = overlay;
    const isFull = (id: string) => isOid(id) && id.length === format.oidDigits;
    if (!isFull(patch.oldOid) || !isFull(patch.newOid))
      return `cannot apply binary patch to '${name}' without full index line`;
    if (patch.oldName !== undefined) {
      const oid = hashObject(format, "blob", before);
      if (oid !== patch.oldOid)
        return `the patch applies to '${name}' (${oid}), which does not match the current contents.`;
    } else if (before.length > 0) return `the patch applies to an empty '${name}' but it is not empty`;
    if (patch.newOid === format.zeroOid) return new Uint8Array(0);
    const stored = overlay.header(patch.newOid);
    if (stored && stored.sizeBytes <= (this.options.maxFileBytes ?? MAX_FILE_BYTES)) {
      const object = overlay.read(patch.newOid);
      if (object?.type === "blob") return object.data;
    }
    if (!patch.forward) {
      const missing = this.options.reverse
        ? `cannot reverse-apply a binary patch without the reverse hunk to '${name}'`
        : `missing binary patch data for '${name}'`;
      return `${missing}\nbinary patch does not apply to '${name}'`;
    }
    let made: Uint8Array;
    try {
      const { kind, data } = patch.forward;
      if (kind === "delta" && readDeltaSizes(data).resultSize > (this.options.maxFileBytes ?? MAX_FILE_BYTES)) {
        return `binary patch does not apply to '${name}'`;
      }
      made = kind === "literal" ? data : applyDelta(before, data);
    } catch (error) {
      if (!(error instanceof CorruptObject)) throw error;
      return `binary patch does not apply to '${name}'`;
    }
    const oid = hashObject(format, "blob", made);
    if (oid === patch.newOid) return made;
    return `binary patch to '${name}' creates incorrect result (expecting ${patch.newOid}, got ${oid})`;
  }

  /** The file, link or submodule with that name. */
  private inTree(name: string): { mode: number; oid: Oid } | undefined {
    if (name === "" || name.startsWith("/") || name.endsWith("/")) return undefined;
    const found = entryAt(this.overlay, this.tree, shown(name));
    return found && !isTreeMode(found.mode) ? { mode: canonicalMode(found.mode), oid: found.oid } : undefined;
  }

  /** Whether a parent directory of the name is a symbolic link before or after the patch. */
  private isBeyondLink(name: string): boolean {
    for (let slash = name.lastIndexOf("/"); slash > 0; slash = name.lastIndexOf("/", slash - 1)) {
      const directory = name.slice(0, slash);
      if (this.linksThere.has(directory)) return true;
      if (this.linksGone.has(directory)) continue;
      if (((this.inTree(directory)?.mode ?? 0) & MODE_KIND) === MODE_SYMLINK) return true;
    }
    return false;
  }

  private write(): Applied {
    const changes = new Map<string, NewEntry>();
    for (const { patch } of this.results) {
      if (patch.oldName === undefined || patch.isCopy) continue;
      if (patch.isDelete || !patch.isNew) changes.set(patch.oldName, undefined);
    }
    for (const { patch, content } of this.results) {
      if (patch.isDelete || patch.newName === undefined) continue;
      this.requirePlace(patch.newName, changes);
      changes.set(patch.newName, this.entryOf(patch, content));
    }
    const byName = new Map([...changes].map(([name, entry]) => [shown(name), entry] as const));
    const tree = editTree(this.overlay, this.tree, byName);
    const names = [...byName.keys()];
    return {
      tree,
      written: names.filter((name) => byName.get(name) !== undefined),
      removed: names.filter((name) => byName.get(name) === undefined),
      warnings: this.warnings.map(shown),
    };
  }

  private entryOf(patch: FilePatch, content: string | Uint8Array): NewEntry {
    const mode = canonicalMode(patch.newMode || MODE_FILE);
    if (mode === MODE_GITLINK) {
      const text = typeof content === "string" ? content : toLatin1(content);
      const oid = text.startsWith("Subproject commit ") ? text.slice("Subproject commit ".length).split("\n")[0]! : "";
      if (!isOid(oid)) throw new PatchRefused([`corrupt patch for submodule ${shown(patch.newName ?? "")}`]);
      return { mode, oid };
    }
    const data = typeof content === "string" ? Buffer.from(content, "latin1") : content;
    return { mode, oid: this.overlay.put("blob", data) };
  }

  /** @throws PatchRefused if a file is where a directory is needed, or the other way round */
  private requirePlace(name: string, changes: ReadonlyMap<string, NewEntry>): void {
    const refused = () => new PatchRefused([`unable to add cache entry for ${shown(name)}`]);
    for (let slash = name.indexOf("/"); slash > 0; slash = name.indexOf("/", slash + 1)) {
      const directory = name.slice(0, slash);
      if (changes.has(directory) ? changes.get(directory) !== undefined : this.inTree(directory)) throw refused();
    }
    for (const [other, entry] of changes) if (entry && other.startsWith(`${name}/`)) throw refused();
    const found = entryAt(this.overlay, this.tree, shown(name));
    if (found && isTreeMode(found.mode) && this.hasOthers(found.oid, `${name}/`, changes)) throw refused();
  }

  /** Whether a directory of the tree still contains anything after the changes. */
  private hasOthers(tree: Oid, prefix: string, changes: ReadonlyMap<string, NewEntry>): boolean {
    for (const { path, mode } of walkTree(this.overlay, tree, true, shown(prefix))) {
      const name = toLatin1(encodeName(path));
      if (!isTreeMode(mode) && !(changes.has(name) && changes.get(name) === undefined)) return true;
    }
    return false;
  }
}

function canonicalMode(mode: number): number {
  const kind = mode & MODE_KIND;
  if (kind === MODE_SYMLINK || kind === MODE_GITLINK) return kind;
  return (mode & 0o100) !== 0 ? MODE_EXECUTABLE : MODE_FILE;
}

/** A name in the patch that no tree may contain. */
function unsafePath(patch: FilePatch): string | undefined {
  const { oldName, newName, isDelete, isNew, isCopy } = patch;
  if (oldName !== undefined && (isDelete || (!isNew && !isCopy)) && !isSafe(oldName, patch.oldMode)) return oldName;
  if (!isDelete && newName !== undefined && !isSafe(newName, patch.newMode)) return newName;
  return undefined;
}

function isSafe(name: string, mode: number): boolean {
  return name.split("/").every((part) => {
    if (part === "" || part === "." || part === ".." || isDotGit(part)) return false;
    return (mode & MODE_KIND) !== MODE_SYMLINK || !isSpecialFile(part, "gitmodules");
  });
}

/** Converts latin1 to the form that `decodeName` returns. */
function shown(text: string): string {
  return decodeName(Buffer.from(text, "latin1"));
}
