import { Commits } from "../../git/graph/commits.ts";
import { mergeBases } from "../../git/history/ancestry.ts";
import type { Oid } from "../../git/objects/types.ts";
import { openTogether } from "../../git/odb/together.ts";
import { type HistoryPage, historyPage } from "../history/page.ts";

export interface AcrossInput {
  /** The bare repositories. */
  readonly baseDir: string;
  readonly headDir: string;
  readonly base: Oid;
  readonly head: Oid;
  readonly limit: number;
}

/** The commits that the head of one repository has and the base of another lacks, and where they diverged. */
export interface Across {
  readonly common: Oid | undefined;
  readonly page: HistoryPage;
}

/** Compares commits of two repositories, neither of which has all objects of the other. */
export async function run({ baseDir, headDir, base, head, limit }: AcrossInput): Promise<Across> {
  const store = openTogether(headDir, baseDir);
  try {
    const commits = Commits.open(headDir, store);
    const [common] = mergeBases(commits, base, head);
    const page = historyPage(commits, { tips: [head], not: [base], skip: 0, limit, count: true });
    return { common, page };
  } finally {
    store.close();
  }
}
