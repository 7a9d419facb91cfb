import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JobContext } from "../../workers/job.ts";
import { literalPath } from "../diff/pathspec.ts";
import { CorruptObject } from "../errors.ts";
import { Commits } from "../graph/commits.ts";
import { peelToCommit, peelToTree } from "../graph/peel.ts";
import { Describer } from "../history/describe.ts";
import { Mailmap } from "../mailmap/mailmap.ts";
import { parseCommitLinks } from "../objects/commit.ts";
import { decodeName } from "../objects/names.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import { ObjectStore } from "../odb/store.ts";
import { Abbreviator } from "../pretty/abbreviate.ts";
import type { PrettyContext } from "../pretty/context.ts";
import { type Decoration, decorationsOf } from "../pretty/decorations.ts";
import type { Ref } from "../refs/types.ts";
import { entryAt } from "../trees.ts";
import { type ArchiveFormat, archive } from "./archive.ts";
import { inChunks } from "./chunks.ts";

export interface ArchiveInput {
  /** The bare repository. */
  readonly repoDir: string;
  /** A commit, a tag that peels to one, or a tree. */
  readonly oid: Oid;
  readonly format: ArchiveFormat;
  /** `engine-v1/` */
  readonly prefix?: string;
  readonly paths?: readonly string[];
  readonly level?: number;
  /** For `%d` and `%(describe)` in files marked `export-subst`, sorted by name. */
  readonly refs?: readonly Ref[];
  /**
   * Seconds since 1970, for entries when archiving a bare tree; 0 by default, so that the same tree gives the same
   * archive.
   */
  readonly timeSeconds?: number;
}

/** Larger files are not held in memory. */
const MAX_WHOLE_BYTES = 16 * 1024 * 1024;

/**
 * Streams an archive.
 * @throws CorruptObject if the object is not a commit or tree, or something in it is missing; NoSuchPath
 */
export async function run(input: ArchiveInput, context: JobContext): Promise<{ bytes: number }> {
  const store = ObjectStore.open(input.repoDir, {
    maxObjectBytes: MAX_WHOLE_BYTES,
    spoolDir: join(input.repoDir, "objects"),
  });
  try {
    const tree = peelToTree(store, input.oid);
    if (tree === undefined) throw new CorruptObject(`${input.oid} leads to no tree`);
    const commit = peelToCommit(store, input.oid);
    const data = commit === undefined ? undefined : store.read(commit)?.data;
    const info = join(input.repoDir, "info", "attributes");
    let bytes = 0;
    const pieces = archive(store, {
      tree,
      format: input.format,
      commit: commit !== undefined && data ? { oid: commit, data } : undefined,
      timeSeconds: data ? parseCommitLinks(data).committerTime : (input.timeSeconds ?? 0),
      context: contextOf(store, input.repoDir, tree, input.refs ?? []),
      info: existsSync(info) ? readFileSync(info) : undefined,
      prefix: input.prefix,
      paths: input.paths?.map((path) => ({ given: path, wanted: literalPath(path) })),
      level: input.level,
    });
    for await (const chunk of inChunks(pieces)) {
      if (context.signal.aborted) break;
      bytes += chunk.length;
      await context.emit(chunk);
    }
    return { bytes };
  } finally {
    store.close();
  }
}

/** Everything is looked up on first use. Relative dates count from 1970, so that the bytes stay the same. */
function contextOf(store: ObjectSource, repoDir: string, tree: Oid, refs: readonly Ref[]): PrettyContext {
  let abbreviator: Abbreviator | undefined;
  let mailmap: Mailmap | undefined;
  let decorations: Map<Oid, Decoration[]> | undefined;
  return {
    clock: { now: 0, zoneAt: () => 0 },
    abbreviate: (oid) => {
      abbreviator ??= new Abbreviator(store);
      return abbreviator.abbreviate(oid);
    },
    mapIdentity: (name, email) => {
      mailmap ??= readMailmap(store, tree);
      return mailmap.map(name, email);
    },
    describe: (oid, options) => {
      const digits = new Abbreviator(store, options.abbrev || "auto");
      const describer = new Describer(Commits.open(repoDir, store), refs, options, (id) => digits.abbreviate(id));
      return describer.describe(oid) ?? "";
    },
    decorations: (oid) => {
      decorations ??= decorationsOf({ refs });
      return decorations.get(oid);
    },
  };
}

function readMailmap(store: ObjectSource, tree: Oid): Mailmap {
  const entry = entryAt(store, tree, ".mailmap");
  const object = entry && store.read(entry.oid);
  return new Mailmap(object?.type === "blob" ? decodeName(object.data) : "");
}
