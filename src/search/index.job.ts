import { decodeText, isBinary } from "../content/texts.ts";
import { cachedRepository } from "../git/cached-repository.ts";
import { diffTrees } from "../git/diff/tree.ts";
import { CorruptObject } from "../git/errors.ts";
import { peelToTree } from "../git/graph/peel.ts";
import { languageOfFile } from "../git/languages/table.ts";
import { decodeName } from "../git/objects/names.ts";
import { MODE_EXECUTABLE, MODE_FILE } from "../git/objects/tree.ts";
import type { Oid } from "../git/objects/types.ts";
import type { JobContext } from "../workers/job.ts";
import * as store from "./store.ts";

export interface IndexInput {
  readonly indexPath: string;
  readonly repoId: number;
  /** The bare repository; undefined if it is gone, so its index entries must go, too. */
  readonly repoDir?: string;
  /** The commit whose files are to be indexed; undefined if there is none, and nothing is indexed. */
  readonly commit?: Oid;
  readonly maxFileBytes: number;
}

export interface IndexResult {
  /** Number of files added or removed. */
  readonly changed: number;
}

/** Limits of one transaction: it is kept in memory until committed, and searches wait for none. */
const BATCH_FILES = 400;
const BATCH_BYTES = 3 * 1024 * 1024;
/** Files beyond this are not indexed. */
const MAX_FILES = 200_000;

interface File {
  readonly path: string;
  readonly oid: Oid;
}

/**
 * Updates the index of a repository to a commit: adds or removes whatever differs. An interrupted run is continued by
 * the next one, which compares with the current index.
 */
export async function run(input: IndexInput, context: JobContext): Promise<IndexResult> {
  const { indexPath, repoId, repoDir, commit } = input;
  const db = store.openIndex(indexPath);
  try {
    if (repoDir === undefined || commit === undefined) {
      while (db.transaction(() => store.removeSome(db, repoId, BATCH_FILES))) context.signal.throwIfAborted();
      return { changed: 0 };
    }
    if (store.indexedCommit(db, repoId) === commit) return { changed: 0 };
    const { store: objects } = cachedRepository(context, repoDir);
    const tree = peelToTree(objects, commit);
    if (tree === undefined) throw new CorruptObject(`${commit} leads to no tree`);
    const gone = store.indexedFiles(db, repoId);
    const wanted: File[] = [];
    diffTrees(objects, undefined, tree, ({ path, newMode, newOid }) => {
      if ((newMode !== MODE_FILE && newMode !== MODE_EXECUTABLE) || newOid === undefined) return true;
      if (gone.get(path)?.oid !== newOid) wanted.push({ path, oid: newOid });
      gone.delete(path);
      return wanted.length < MAX_FILES;
    });
    // Until the end the repository counts as not indexed: results would not be of any single commit.
    db.transaction(() => store.setIndexedCommit(db, repoId, ""));
    let changed = 0;
    let batch: store.NewFile[] = [];
    let batchBytes = 0;
    const write = () => {
      context.signal.throwIfAborted();
      db.transaction(() => {
        for (const file of batch) if (store.putFile(db, file)) changed++;
      });
      batch = [];
      batchBytes = 0;
      // Otherwise its texts, by now in three forms, would be in memory along with those of the next.
      Bun.gc(true);
    };
    for (const { path, oid } of wanted) {
      const header = objects.header(oid);
      const bytes = header && header.sizeBytes <= input.maxFileBytes ? objects.read(oid)?.data : undefined;
      const text = !bytes || bytes.length === 0 || isBinary(bytes) ? undefined : decodeText(bytes);
      const language = languageOfFile(decodeName(Buffer.from(path.slice(path.lastIndexOf("/") + 1), "latin1")))?.name;
      batch.push({ repoId, path, oid, language: language ?? "", text });
      batchBytes += text === undefined ? 0 : (bytes?.length ?? 0);
      if (batch.length >= BATCH_FILES || batchBytes >= BATCH_BYTES) write();
    }
    write();
    const removed = [...gone.keys()];
    for (let from = 0; from < removed.length; from += BATCH_FILES) {
      context.signal.throwIfAborted();
      db.transaction(() => {
        for (const path of removed.slice(from, from + BATCH_FILES)) store.removeFile(db, repoId, path);
      });
    }
    db.transaction(() => store.setIndexedCommit(db, repoId, commit));
    return { changed: changed + removed.length };
  } finally {
    db.close();
  }
}
