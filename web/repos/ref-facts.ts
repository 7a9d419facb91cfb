import type { RefListService } from "../../src/content/refs/service.ts";
import type { RevisionService } from "../../src/content/revisions/service.ts";
import type { TagService } from "../../src/content/tags/service.ts";
import type { Cache, CacheBudget } from "../../src/kernel/cache.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { RefChoices } from "../components/ref-selector.tsx";
import { within } from "../within.ts";

/** Names the selector lists before the user types. */
const CHOICES = 10;
/** Size of the names and the objects around them. */
const CHOICES_BYTES = 4096;
const COUNTS_BYTES = 100;
/** How long a page waits for the times of tags. */
const WAIT_MS = 40;

export interface RefCounts {
  readonly branches: number;
  readonly tags: number;
}

/** Cached facts about a repository's refs. */
interface Known<Facts> {
  readonly version: string;
  readonly facts: Facts;
}

/** What a repository's pages show of its refs, cached until a ref changes. */
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

  /** The number of branches and tags, shown on every page of the repository. */
  counts(seen: SeenRepo): RefCounts {
    const version = versionOf(seen);
    const before = this.counted.get(seen.repo.id);
    if (before?.version === version) return before.facts;
    const facts = this.refs.counts(seen);
    this.counted.set(seen.repo.id, { version, facts });
    return facts;
  }

  /**
   * What the selector offers before the user types: the newest tags. When their times have to be read from the
   * repository first and that takes longer than a page waits, tags by name.
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
    // A failure after the page was sent has no handler.
    finding.catch(() => {});
    return (await within(finding, WAIT_MS)) ?? this.firstOf(seen, this.byName(seen));
  }

  /** Names that contain `part`, for the selector's field: branches by name, tags newest first. */
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
