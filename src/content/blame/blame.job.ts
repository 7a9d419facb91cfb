import { type BlameInput, type BlameResult, run as blame } from "../../git/blame/blame.job.ts";
import { cachedRepository } from "../../git/cached-repository.ts";
import { parseCommit, type Signature } from "../../git/objects/commit.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { JobContext } from "../../workers/job.ts";

/** What a page shows of a commit that lines come from. */
export interface BlamedCommit {
  /** The first line of its message. */
  readonly subject: string;
  readonly author: Pick<Signature, "name" | "email">;
  /** Seconds since 1970. */
  readonly committedAt: number;
}

const MAX_SUBJECT = 200;

/** Blames a file and reads the commits its lines come from: there may be thousands. */
export async function run(
  input: BlameInput,
  context: JobContext,
): Promise<BlameResult & { readonly commits: ReadonlyMap<Oid, BlamedCommit> }> {
  const result = await blame(input, context);
  const { store } = cachedRepository(context, input.repoDir);
  const commits = new Map<Oid, BlamedCommit>();
  for (const { file } of result.ranges) {
    if (commits.has(file.commit)) continue;
    const object = store.read(file.commit);
    if (object?.type !== "commit") continue;
    const { author, committer, message } = parseCommit(object.data);
    commits.set(file.commit, {
      subject: (message.split("\n", 1)[0] ?? "").slice(0, MAX_SUBJECT),
      author: { name: author.name, email: author.email },
      committedAt: committer.timestamp,
    });
    context.signal.throwIfAborted();
  }
  return { ...result, commits };
}
