import type { RefListService } from "../../src/content/refs/service.ts";
import type { RevisionService } from "../../src/content/revisions/service.ts";
import type { TagService } from "../../src/content/tags/service.ts";
import type { Cache, CacheBudget } from "../../src/kernel/cache.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { RefChoices } from "../components/ref-selector.tsx";
import { within } from "../within.ts";

/** Names the selector lists before one types. */
const CHOICES = 10;
/** Its names, with the objects they stand in. */
const CHOICES_BYTES = 4096;
const COUNTS_BYTES = 100;
/** A page waits this long for the times of tags. */
const WAIT_MS = 40;

export interface RefCounts {
  readonly branches: number;
  readonly tags: number;
}

/** What is known of a repository's refs as they were. */
interface Known<Facts> {
  readonly version: string;
  readonly facts: Facts;
}

/** What pages of a repository show of its refs, cached until a ref changes. */
export class RefFacts {
  private readonly counted: Cache<number, Known<RefCounts>>;
  private readonly chosen: Cache<number, Known<RefChoices>>;

  constructor(
    private readonly refs: RefListService,
    private readonly revisions: RevisionService,
    private readonly tags: TagService,
    caches: CacheBudget,
  ) {
    this.counted = caches.cache(() => COUNTS_BYTES);
    this.chosen = caches.cache(() => CHOICES_BYTES);
  }

  /** How many there are: every page of the repository says so. */
  counts(seen: SeenRepo): RefCounts {
    const version = versionOf(seen);
    const before = this.counted.get(seen.repo.id);
    if (before?.version === version) return before.facts;
    const facts = this.refs.counts(seen);
    this.counted.set(seen.repo.id, { version, facts });
    return facts;
  }

  /**
   * What the selector offers before one types: the newest tags. Where their times have to be read from the repository
   * first, and that takes longer than a page waits, tags by name.
   */
  async choices(seen: SeenRepo): Promise<RefChoices> {
    const version = versionOf(seen);
    const before = this.chosen.get(seen.repo.id);
    if (before?.version === version) return before.facts;
    const finding = this.choose(seen, "").then((found) => {
      const facts = this.firstOf(seen, found);
      this.chosen.set(seen.repo.id, { version, facts });
      return facts;
    });
    // One that fails after the page was sent is no one's any more.
    finding.catch(() => {});
    return (await within(finding, WAIT_MS)) ?? this.firstOf(seen, this.byName(seen));
  }

  /** Names with `part` in them, for the selector's field: branches by name, tags newest first. */
  async choose(seen: SeenRepo, part: string): Promise<RefChoices> {
    return {
      branches: this.refs.branchNames(seen, part, CHOICES),
      tags: await this.tags.newestNames(seen, part, CHOICES),
      hasMore: true,
    };
  }

  private byName(seen: SeenRepo): Pick<RefChoices, "branches" | "tags"> {
    return { branches: this.refs.branchNames(seen, "", CHOICES), tags: this.refs.tagNames(seen, CHOICES) };
  }

  private firstOf(seen: SeenRepo, found: Pick<RefChoices, "branches" | "tags">): RefChoices {
    const { defaultBranch } = seen.repo;
    const { branches, tags } = this.counts(seen);
    const others = found.branches.filter((name) => name !== defaultBranch);
    const hasDefault = this.revisions.head(seen) !== undefined;
    return {
      ...found,
      branches: hasDefault ? [defaultBranch, ...others] : others,
      hasMore: branches > CHOICES || tags > CHOICES,
    };
  }
}

const versionOf = ({ repo }: SeenRepo) => `${repo.refsVersion} ${repo.defaultBranch}`;
