import type { Oid } from "../../git/objects/types.ts";
import { BadRequest, NotFound } from "../../kernel/errors.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import type { HistoryService } from "../history/service.ts";
import type { NamedCommit, RevisionService } from "../revisions/service.ts";
import type { Across } from "./across.job.ts";
import type { ForkNetwork } from "./network.ts";
import { readCompareSpec, type SpecEnd } from "./spec.ts";

/** Commits beyond this are counted, not listed. */
export const MAX_COMMITS = 250;

/** A revision in a repository. */
export interface ComparedEnd {
  readonly seen: SeenRepo;
  readonly at: NamedCommit;
}

export interface Comparison {
  readonly base: ComparedEnd;
  readonly head: ComparedEnd;
  readonly symmetric: boolean;
  /**
   * What the change is relative to: the common ancestor with three dots, the base itself with two; undefined if three
   * dots were given and there is none.
   */
  readonly from: Oid | undefined;
  /** Commits only the head has, newest first, from the head's repository. */
  readonly commits: readonly Oid[];
  readonly total: number;
}

/** Compares two revisions (contract git-content.md 7.5). */
export class CompareService {
  constructor(
    private readonly revisions: RevisionService,
    private readonly history: HistoryService,
    private readonly network: ForkNetwork,
    private readonly storage: RepoStorage,
    private readonly pool: WorkerPool,
  ) {}

  /**
   * @param text `base...head`, `base..head`, or only a head, which is compared with the default branch; each may be in
   *   another repository of the same fork network: `owner:branch`, `owner/repository:branch`
   * @throws BadRequest for an unsupported form, or an owner without a fork; NotFound for an unknown revision
   */
  async compare(seen: SeenRepo, text: string): Promise<Comparison> {
    const spec = readCompareSpec(text);
    const base = this.endOf(seen, spec.base);
    const head = this.endOf(seen, spec.head);
    const { common, page } =
      base.seen.repo.id === head.seen.repo.id
        ? await this.within(seen, base.at.commit, head.at.commit)
        : await this.across(base, head);
    return {
      base,
      head,
      symmetric: spec.symmetric,
      from: spec.symmetric ? common : base.at.commit,
      commits: common === undefined ? [] : page.oids,
      total: common === undefined ? 0 : (page.total ?? page.oids.length),
    };
  }

  private async within(seen: SeenRepo, base: Oid, head: Oid): Promise<Across> {
    const [common] = await this.history.mergeBases(seen, base, head);
    const page = await this.history.page(seen, {
      tips: [head],
      not: [base],
      skip: 0,
      limit: MAX_COMMITS,
      count: true,
    });
    return { common, page };
  }

  private across(base: ComparedEnd, head: ComparedEnd): Promise<Across> {
    return this.pool.run("content.compareAcross", {
      baseDir: this.storage.dirOf(base.seen.repo.id),
      headDir: this.storage.dirOf(head.seen.repo.id),
      base: base.at.commit,
      head: head.at.commit,
      limit: MAX_COMMITS,
    });
  }

  private endOf(seen: SeenRepo, { place, revision }: SpecEnd): ComparedEnd {
    const suffixAt = revision.search(/[\^@]\{/);
    if (suffixAt >= 0)
      throw new BadRequest("compare.unsupported-suffix", { params: { suffix: revision.slice(suffixAt) } });
    const of = place === undefined ? seen : this.network.find(seen, place);
    const at = this.revisions.named(of, revision || of.repo.defaultBranch);
    if (!at) throw new NotFound("object.missing", { params: { id: revision || of.repo.defaultBranch } });
    return { seen: of, at };
  }
}
