import type { JobContext } from "../../workers/job.ts";
import { Commits } from "../graph/commits.ts";
import { Mailmap } from "../mailmap/mailmap.ts";
import type { Oid } from "../objects/types.ts";
import { ObjectStore } from "../odb/store.ts";
import { type Contributors, countContributors } from "./contributors.ts";

export interface ContributorsInput {
  /** The bare repository. */
  readonly repoDir: string;
  readonly tips: readonly Oid[];
  readonly merges?: boolean;
  readonly lines?: boolean;
  /** The `.mailmap` to apply, decoded by `decodeName`. */
  readonly mailmap?: string;
  readonly previous?: Contributors;
}

const CACHE_BYTES = 32 * 1024 * 1024;

/** Counts contributions by author and week. */
export async function run(
  { repoDir, mailmap, ...input }: ContributorsInput,
  context: JobContext,
): Promise<Contributors> {
  const store = ObjectStore.open(repoDir, { cacheBytes: CACHE_BYTES });
  try {
    const people = mailmap === undefined ? undefined : new Mailmap(mailmap);
    const mapping = mailmap === undefined ? "" : new Bun.CryptoHasher("sha256").update(mailmap).digest("hex");
    const counting = countContributors(Commits.open(repoDir, store), {
      ...input,
      mapping,
      ...(people ? { mapIdentity: (name, email) => people.map(name, email) } : {}),
    });
    for (;;) {
      const step = counting.next();
      if (step.done) return step.value;
      await Bun.sleep(0);
      context.signal.throwIfAborted();
    }
  } finally {
    store.close();
  }
}
