import { cachedRepository } from "../../git/cached-repository.ts";
import { log } from "../../git/history/log.ts";
import { parseCommit } from "../../git/objects/commit.ts";
import type { Oid } from "../../git/objects/types.ts";
import { type CommitItem, readCommitMessage } from "../../references/reader.ts";
import type { JobContext } from "../../workers/job.ts";

/** A commit whose message refers to items. */
export interface ReferringCommit {
  readonly id: Oid;
  /** First line of its message. */
  readonly subject: string;
  /** Commit time, in milliseconds. */
  readonly at: number;
  readonly items: readonly CommitItem[];
}

export interface CommitsRequest {
  readonly repoDir: string;
  readonly tips: readonly Oid[];
  /** Commits known before the push. */
  readonly not: readonly Oid[];
  readonly rootUrl: string;
}

/** If there are more new commits, only the newest are read. */
const MAX_COMMITS = 20_000;
/** Collect garbage after this many commits; otherwise their leftovers would grow to a hundred megabytes. */
const TIDY_AFTER = 500;
const MAX_REFERRING = 1_000;
const MAX_MESSAGE = 64 * 1024;
const MAX_SUBJECT = 500;

/** The commits of a push that refer to items, oldest first. */
export async function run(request: CommitsRequest, context: JobContext): Promise<ReferringCommit[]> {
  const repository = cachedRepository(context, request.repoDir);
  const { oids } = log(repository.commits(), { tips: request.tips, not: request.not }, 0, MAX_COMMITS);
  const found: ReferringCommit[] = [];
  for (const [at, id] of oids.entries()) {
    if (at % TIDY_AFTER === TIDY_AFTER - 1) Bun.gc(true);
    context.signal.throwIfAborted();
    const object = repository.store.read(id);
    if (object?.type !== "commit") continue;
    const { committer, message } = parseCommit(object.data);
    const items = readCommitMessage(message.slice(0, MAX_MESSAGE), request.rootUrl);
    if (items.length === 0) continue;
    const subject = message.split("\n", 1)[0]?.slice(0, MAX_SUBJECT) ?? "";
    found.push({ id, subject, at: committer.timestamp * 1000, items });
    if (found.length === MAX_REFERRING) break;
  }
  return found.reverse();
}
