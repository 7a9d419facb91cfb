import { make, makeCommit } from "../git/edit/make.ts";
import { EditRefused } from "../git/edit/refused.ts";
import { TreeEdit } from "../git/edit/tree-edit.ts";
import type { Oid } from "../git/objects/types.ts";
import { ObjectStore } from "../git/odb/store.ts";
import { type NewObject, writeObjects } from "../git/odb/write.ts";
import { type SigningKey, signerOf } from "../git/signing/signer.ts";
import { entryAt, listTree } from "../git/trees.ts";
import type { GitIdentity } from "../identity/git-identity.ts";
import type { JobContext } from "../workers/job.ts";
import { expandName, expandVariables } from "./variables.ts";

export interface ExpandInput {
  /** The bare repository being created; it already has everything below `tree`. */
  readonly repoDir: string;
  readonly tree: Oid;
  readonly variables: readonly (readonly [name: string, value: string])[];
  readonly author: GitIdentity;
  /** Seconds since 1970. */
  readonly at: number;
  readonly message: string;
  readonly signing: SigningKey | undefined;
}

/** The file listing in which files variables are expanded, one glob per line. */
const CONTROL_FILE = ".gitea/template";
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_GLOBS = 1_000;
const MAX_ENTRIES = 200_000;
const MAX_EXPANDED_BYTES = 64 * 1024 * 1024;

/**
 * Creates the first commit of a generated repository: the template's tree, with variables expanded where requested.
 * @returns the commit, stored with all new objects
 * @throws EditRefused a path that two files would have
 */
export async function run(input: ExpandInput, context: JobContext): Promise<Oid> {
  const store = ObjectStore.open(input.repoDir);
  try {
    const { objects, tree } = expandedTree(store, input, context.signal);
    const person = { ...input.author, timestamp: input.at, offsetMinutes: 0 };
    const { message, signing } = input;
    const parts = { tree, parents: [], author: person, committer: { ...person, ...signing?.committer }, message };
    const commit = makeCommit(store.format, parts, signing && signerOf(signing));
    const all = [...objects, commit];
    const written = writeObjects(input.repoDir, all, { isStored: (oid) => store.has(oid), crashPoint: context.crash });
    return written.at(-1) ?? commit.oid;
  } finally {
    store.close();
  }
}

function expandedTree(
  store: ObjectStore,
  { tree, variables }: ExpandInput,
  signal: AbortSignal,
): { objects: NewObject[]; tree: Oid } {
  const control = entryAt(store, tree, CONTROL_FILE);
  if (!control || !isFileMode(control.mode)) return { objects: [], tree };
  const text = contentOf(store, control.oid);
  if (text === undefined) return { objects: [], tree };
  const globs = globsOf(text);
  const values = new Map(variables);
  const edit = new TreeEdit(store, tree);
  edit.remove(CONTROL_FILE);
  const objects: NewObject[] = [];
  let expandedBytes = 0;
  for (const { path, mode, oid } of listTree(store, tree, { limit: MAX_ENTRIES, directories: false }).entries) {
    signal.throwIfAborted();
    if (path === CONTROL_FILE || !isFileMode(mode) || !globs.some((glob) => glob.match(path))) continue;
    const before = contentOf(store, oid);
    if (before === undefined) continue;
    expandedBytes += before.length;
    if (expandedBytes > MAX_EXPANDED_BYTES) break;
    const blob = make(store.format, "blob", new TextEncoder().encode(expandVariables(before, values)));
    const target = path
      .split("/")
      .map((name) => expandName(name, values))
      .join("/");
    if (blob.oid === oid && target === path) continue;
    objects.push(blob);
    if (target !== path) {
      edit.remove(path);
      if (edit.find(target)) throw new EditRefused("bad entry", target, `two files would be called ${target}`);
    }
    edit.put(target, mode, blob.oid);
  }
  const written = edit.write();
  return { objects: [...objects, ...written.objects], tree: written.tree };
}

/** A text of at most one mebibyte; undefined if it is larger or binary. */
function contentOf(store: ObjectStore, oid: Oid): string | undefined {
  const header = store.header(oid);
  if (header?.type !== "blob" || header.sizeBytes > MAX_FILE_BYTES) return undefined;
  const data = store.read(oid)?.data;
  if (!data || data.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return undefined;
  }
}

/** Symbolic links and submodules stay as they are. */
const isFileMode = (mode: number) => (mode & 0o170000) === 0o100000;

function globsOf(text: string): Bun.Glob[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .slice(0, MAX_GLOBS)
    .map((line) => new Bun.Glob(line));
}
