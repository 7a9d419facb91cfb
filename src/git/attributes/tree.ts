import { encodeName, toLatin1 } from "../objects/names.ts";
import type { ObjectSource } from "../objects/source.ts";
import { isTreeMode, MODE_GITLINK } from "../objects/tree.ts";
import { findEntry, openTree } from "../objects/tree-cursor.ts";
import type { Oid } from "../objects/types.ts";
import { MatchBudget } from "../patterns/glob.ts";
import { Attributes, NO_ATTRIBUTES } from "./attributes.ts";
import { type Assignment, type AttributeFile, type AttributeValue, parseAttributes } from "./file.ts";

/** A directory that may contain a `.gitattributes`. Names have one character per byte. */
export interface AttributeDirectory {
  /** The content of its `.gitattributes`, one character per byte; undefined if there is none. */
  file(): string | undefined;
  /** A subdirectory; undefined if there is none. */
  directory(name: string): AttributeDirectory | undefined;
}

export interface AttributeOptions {
  /** The content of `info/attributes`, which takes precedence over the directories' files. */
  readonly info?: Uint8Array | undefined;
  /** The content of the user's own file (`core.attributesFile`), which has the lowest precedence. */
  readonly user?: Uint8Array | undefined;
  /** Only these attributes are requested: rules that cannot set them are not even compared. */
  readonly only?: readonly string[];
}

/** A directory with the attributes that apply in it. */
interface Directory {
  readonly parent: Directory | undefined;
  /** The path with a trailing slash; empty at the root. */
  readonly prefix: string;
  /** Undefined if the directory does not exist. */
  readonly source: AttributeDirectory | undefined;
  readonly file: AttributeFile | undefined;
}

/** As in git, larger files are ignored. Nobody writes more than a megabyte. */
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_DIRECTORIES = 4096;
const FILE_NAME = ".gitattributes";
const BUILT_IN = parseAttributes("[attr]binary -diff -merge -text\n", true);

/** The attributes of paths below a directory, from the `.gitattributes` files in it. Files are read on demand. */
export class PathAttributes {
  private readonly directories = new Map<string, Directory>();
  private readonly root: Directory;
  private readonly info: AttributeFile | undefined;
  private readonly user: AttributeFile | undefined;
  private readonly macros: ReadonlyMap<string, readonly Assignment[]>;
  private readonly wanted: ReadonlySet<string> | undefined;
  private readonly budget = new MatchBudget();

  constructor(root: AttributeDirectory, options: AttributeOptions = {}) {
    const own = (data: Uint8Array | undefined) => data && parseAttributes(withoutMark(toLatin1(data)), true);
    const info = own(options.info);
    const user = own(options.user);
    const rootFile = readFile(root, true);
    const files = [BUILT_IN, user, rootFile, info];
    this.macros = new Map(files.flatMap((file) => [...(file?.macros ?? [])]));
    this.wanted = options.only && withMacros(options.only, this.macros);
    this.info = this.useful(info);
    this.user = this.useful(user);
    this.root = { parent: undefined, prefix: "", source: root, file: this.useful(rootFile) };
  }

  /**
   * @param path as returned by `decodeName`, without leading or trailing slashes; need not exist
   * @throws PatternsTooCostly; whatever reading a directory throws
   */
  of(path: string, isTreeMode = false): Attributes {
    return this.ofBytes(toLatin1(encodeName(path)), isTreeMode);
  }

  /** As `of`, for a path with one character per byte. */
  ofBytes(path: string, isTreeMode = false): Attributes {
    const slash = path.lastIndexOf("/");
    const directory = this.directoryAt(slash < 0 ? "" : path.slice(0, slash));
    const name = path.slice(slash + 1);
    const values = new Map<string, AttributeValue | undefined>();
    if (this.info) this.apply(this.info, "", path, name, isTreeMode, values);
    for (let at: Directory | undefined = directory; at; at = at.parent)
      if (at.file) this.apply(at.file, at.prefix, path, name, isTreeMode, values);
    if (this.user) this.apply(this.user, "", path, name, isTreeMode, values);
    if (values.size === 0) return NO_ATTRIBUTES;
    const said = new Map<string, AttributeValue>();
    for (const [attribute, value] of values) if (value !== undefined) said.set(attribute, value);
    return new Attributes(said);
  }

  /** The last line and the last assignment on it win; values already decided are kept. */
  private apply(
    { rules }: AttributeFile,
    prefix: string,
    path: string,
    name: string,
    isTreeMode: boolean,
    values: Map<string, AttributeValue | undefined>,
  ): void {
    const below = path.slice(prefix.length);
    for (let at = rules.length - 1; at >= 0; at--) {
      const rule = rules[at]!;
      if (rule.matches(below, name, isTreeMode, this.budget)) this.decide(rule.assignments, values);
    }
  }

  /** Macros are expanded in place; without recursion, as they may be nested as deep as a file is long. */
  private decide(assignments: readonly Assignment[], values: Map<string, AttributeValue | undefined>): void {
    const open = [{ assignments, at: assignments.length }];
    for (let top = open.at(-1); top; top = open.at(-1)) {
      if (top.at === 0) {
        open.pop();
        continue;
      }
      const { name, value } = top.assignments[--top.at]!;
      if (values.has(name)) continue;
      values.set(name, value);
      const macro = value === true ? this.macros.get(name) : undefined;
      if (macro) open.push({ assignments: macro, at: macro.length });
    }
  }

  private directoryAt(path: string): Directory {
    if (path === "") return this.root;
    const existing = this.directories.get(path);
    if (existing) return existing;
    // From the top down, as a path may be deeper than the call stack.
    let directory = this.root;
    for (let end = path.indexOf("/"); ; end = path.indexOf("/", end + 1)) {
      const upTo = end < 0 ? path : path.slice(0, end);
      directory = this.directories.get(upTo) ?? this.addDirectory(directory, upTo);
      if (end < 0) return directory;
    }
  }

  private addDirectory(parent: Directory, path: string): Directory {
    const source = parent.source?.directory(path.slice(parent.prefix.length));
    const file = source && this.useful(readFile(source, false));
    const directory: Directory = { parent, prefix: `${path}/`, source, file };
    if (this.directories.size >= MAX_DIRECTORIES) this.directories.clear();
    this.directories.set(path, directory);
    return directory;
  }

  /** The rules that can set a requested attribute; undefined if there are none. */
  private useful(file: AttributeFile | undefined): AttributeFile | undefined {
    const { wanted } = this;
    if (!file || !wanted) return file;
    const rules = file.rules.filter((rule) => rule.assignments.some(({ name }) => wanted.has(name)));
    return rules.length === 0 ? undefined : { rules, macros: file.macros };
  }
}

function readFile(directory: AttributeDirectory, isRoot: boolean): AttributeFile | undefined {
  const text = directory.file();
  return text === undefined ? undefined : parseAttributes(text, isRoot);
}

/** The attributes of the paths in a tree. */
export class TreeAttributes extends PathAttributes {
  /** @throws CorruptObject if the tree is missing; looking up a path throws it if a tree on the way is broken */
  constructor(store: ObjectSource, tree: Oid, options: AttributeOptions = {}) {
    super(new TreeDirectory(store, tree), options);
  }
}

class TreeDirectory implements AttributeDirectory {
  constructor(
    private readonly store: ObjectSource,
    private readonly tree: Oid,
  ) {}

  /** A symbolic link is read as its target text, as git reads it from an index. */
  file(): string | undefined {
    const entry = findEntry(openTree(this.store, this.tree), FILE_NAME);
    if (!entry || isTreeMode(entry.mode) || entry.mode === MODE_GITLINK) return undefined;
    if ((this.store.header(entry.oid)?.sizeBytes ?? 0) > MAX_FILE_BYTES) return undefined;
    const object = this.store.read(entry.oid);
    // And a NUL ends it.
    return object?.type === "blob" ? toLatin1(object.data).split("\0", 1)[0] : undefined;
  }

  directory(name: string): TreeDirectory | undefined {
    const entry = findEntry(openTree(this.store, this.tree), name);
    return entry && isTreeMode(entry.mode) ? new TreeDirectory(this.store, entry.oid) : undefined;
  }
}

/** Attributes without a tree: only the files given in the options apply. */
export function directoryAttributes(options: AttributeOptions): PathAttributes {
  return new PathAttributes({ file: () => undefined, directory: () => undefined }, options);
}

/** git skips a UTF-8 byte order mark in a file on disk, but not in one from a tree. */
function withoutMark(text: string): string {
  return text.startsWith("\xef\xbb\xbf") ? text.slice(3) : text;
}

/** The names themselves and those of all macros that set one of them, directly or not. */
function withMacros(names: readonly string[], macros: ReadonlyMap<string, readonly Assignment[]>): Set<string> {
  const usedBy = new Map<string, string[]>();
  for (const [macro, assignments] of macros) {
    for (const { name } of assignments) {
      const existing = usedBy.get(name);
      if (existing) existing.push(macro);
      else usedBy.set(name, [macro]);
    }
  }
  const wanted = new Set(names);
  // Iterating over a set also visits elements added meanwhile.
  for (const name of wanted) for (const macro of usedBy.get(name) ?? []) wanted.add(macro);
  return wanted;
}
