import type { FileDiffs } from "../../content/history/file-diffs.ts";
import type { HistoryPage } from "../../content/history/page.ts";
import type { HistoryService } from "../../content/history/service.ts";
import type { DiffOptions } from "../../git/diff/file-diff.ts";
import type { WhitespaceOptions } from "../../git/diff/lines/whitespace.ts";
import type { Oid } from "../../git/objects/types.ts";
import { NotFound } from "../../kernel/errors.ts";
import type { Paging } from "../../kernel/paging.ts";
import type { PullService } from "../service.ts";
import { isMerged, type SeenPull } from "../types.ts";

export interface WantedFiles {
  readonly whitespace: WhitespaceOptions;
  /** Starts at this file; empty: at the first. */
  readonly skipTo: string;
}

/** Only counts lines, without returning any. */
const COUNTS: DiffOptions = {
  context: 0,
  words: false,
  maxFileLines: 0,
  maxFileBytes: 32 * 1024 * 1024,
  maxBytes: 1024 * 1024 * 1024,
};

/** The content of pull requests: commits and files (contract pulls.md 5.6 to 5.8). */
export class PullChanges {
  constructor(
    private readonly history: HistoryService,
    private readonly pulls: PullService,
  ) {}

  /**
   * The two ends of its diff; without a common history it starts at the base itself. An imported one without its head
   * has no changes.
   * @throws NotFound if its branches are gone and nothing keeps their commits
   */
  range({ pull }: SeenPull): { readonly from: Oid; readonly to: Oid } {
    const from = pull.mergeBase ?? this.pulls.baseTip(pull) ?? pull.headOid;
    if (from === "") throw new NotFound();
    return { from, to: pull.headOid || from };
  }

  /** The commits of the pull request itself; for a merged one, those it had when it was merged. */
  commitRange({ pull }: SeenPull): { readonly tips: Oid[]; readonly not: Oid[] } {
    const base = isMerged(pull) ? pull.mergeBase : (this.pulls.baseTip(pull) ?? pull.mergeBase);
    return { tips: pull.headOid === "" ? [] : [pull.headOid], not: base === undefined ? [] : [base] };
  }

  /** Newest first. */
  commits(item: SeenPull, { limit, offset }: Pick<Paging, "limit" | "offset">): Promise<HistoryPage> {
    return this.history.page(item.seen, { ...this.commitRange(item), skip: offset, limit, count: true });
  }

  /** In diff order. */
  async files(
    item: SeenPull,
    { skipTo, whitespace }: WantedFiles,
    { limit, offset }: Pick<Paging, "limit" | "offset">,
  ): Promise<FileDiffs> {
    const options = { ...COUNTS, ...whitespace };
    return this.history.fileDiffs(item.seen, {
      ...this.range(item),
      options,
      ...(skipTo === "" ? {} : { skipTo }),
      skip: offset,
      limit,
    });
  }
}
