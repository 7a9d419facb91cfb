import type { Oid } from "../../git/objects/types.ts";
import { BadRequest, NotFound } from "../../kernel/errors.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { HistoryService } from "../history/service.ts";
import type { RevisionService } from "../revisions/service.ts";

/** More commits than that are counted, not listed. */
export const MAX_COMMITS = 250;

export interface Comparison {
  readonly base: Oid;
  readonly head: Oid;
  /** What the change is shown against: the common ancestor with three dots, the base itself with two. */
  readonly from: Oid;
  /** Commits only the head has, the newest first. */
  readonly commits: readonly Oid[];
  readonly total: number;
}

/** What one revision has that another has not (contract git-content.md 7.5). */
export class CompareService {
  constructor(
    private readonly revisions: RevisionService,
    private readonly history: HistoryService,
  ) {}

  /**
   * @param spec `base...head`, `base..head`, or a head alone, which is compared with the default branch
   * @throws BadRequest a form that is not read here; NotFound a revision that is none
   */
  async compare(seen: SeenRepo, spec: string): Promise<Comparison> {
    const { repo } = seen;
    const { base: baseName, head: headName, symmetric } = partsOf(spec, repo.defaultBranch);
    const base = this.resolve(seen, baseName);
    const head = this.resolve(seen, headIn(seen, headName));
    const common = symmetric ? (await this.history.mergeBases(seen, base, head))[0] : base;
    // Histories that never met have nothing to compare.
    if (common === undefined) return { base, head, from: base, commits: [], total: 0 };
    const page = await this.history.page(seen, {
      tips: [head],
      not: [base],
      skip: 0,
      limit: MAX_COMMITS,
      count: true,
    });
    return { base, head, from: common, commits: page.oids, total: page.total ?? page.oids.length };
  }

  private resolve(seen: SeenRepo, name: string): Oid {
    if (/\^\{|@\{/.test(name)) throw new BadRequest("compare.unsupported-revision", { params: { name } });
    const found = this.revisions.named(seen, name);
    if (!found) throw new NotFound("object.missing", { params: { id: name } });
    return found.commit;
  }
}

function partsOf(spec: string, defaultBranch: string): { base: string; head: string; symmetric: boolean } {
  const dots = /\.{2,3}/.exec(spec);
  if (!dots) return { base: defaultBranch, head: spec, symmetric: true };
  const base = spec.slice(0, dots.index) || defaultBranch;
  const head = spec.slice(dots.index + dots[0].length) || defaultBranch;
  return { base, head, symmetric: dots[0].length === 3 };
}

/** A head may name its repository; as long as there are no forks that can only be this one. */
function headIn({ owner, repo }: SeenRepo, head: string): string {
  const colon = head.indexOf(":");
  if (colon < 0) return head;
  const place = head.slice(0, colon).toLowerCase();
  const here = owner.login.toLowerCase();
  if (place !== here && place !== `${here}/${repo.name.toLowerCase()}`)
    throw new BadRequest("compare.no-fork", { params: { owner: head.slice(0, colon) } });
  return head.slice(colon + 1);
}
