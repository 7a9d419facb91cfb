import { asAccount } from "../../access/principal.ts";
import type { CommitService } from "../../content/commits/service.ts";
import type { HistoryService } from "../../content/history/service.ts";
import type { Database } from "../../db/database.ts";
import { isOid, type Oid } from "../../git/objects/types.ts";
import type { IdentityService } from "../../identity/service.ts";
import { Conflict } from "../../kernel/errors.ts";
import type { RefService } from "../../repos/refs/service.ts";
import { mergeSettings } from "../../repos/settings/defaults.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { PullService } from "../service.ts";
import * as pullStore from "../store.ts";
import { isMerged, type SeenPull } from "../types.ts";
import type { MergeRecord } from "./record.ts";

export interface ManualParts {
  readonly commits: CommitService;
  readonly db: Database;
  readonly history: HistoryService;
  readonly identity: IdentityService;
  readonly pulls: PullService;
  readonly record: MergeRecord;
  readonly refs: RefService;
  readonly storage: RepoStorage;
}

/** Merges between a head and the base that are searched for the one that merged it. */
const MAX_MERGES = 1_000;

/** Merges made with git (contract pulls.md 5.10 and 8). */
export class ManualMerges {
  constructor(private readonly parts: ManualParts) {}

  /** @throws Conflict unless it is the full id of a commit in the base */
  async record(item: SeenPull, commitId: string): Promise<void> {
    const { history, pulls, storage } = this.parts;
    const { pull, seen } = item;
    const base = pulls.baseTip(pull);
    const wrong = () => new Conflict("pull.wrong-commit");
    const isWhole = isOid(commitId) && commitId.length === seen.repo.objectFormat.zeroOid.length;
    if (base === undefined || !isWhole) throw wrong();
    if (storage.objects(seen.repo.id).header(commitId)?.type !== "commit") throw wrong();
    if (!(await history.isAncestor(seen, commitId, base))) throw wrong();
    this.write(item, commitId, item.seen.principal.user?.id);
  }

  /**
   * Called when the base contains all of an open pull request: if the repository detects manual merges, it counts as
   * merged.
   * @returns whether it is merged now
   */
  async notice(item: SeenPull, base: Oid): Promise<boolean> {
    const { identity, refs } = this.parts;
    const { pull, seen } = item;
    const settings = mergeSettings(seen.repo.settings);
    if (!settings.autodetectManualMerge || pull.mergeBase === pull.headOid) return false;
    const commit = await this.mergeOf(item, base);
    const moverId = refs.lastMover(seen.repo.id, `refs/heads/${pull.baseBranch}`) ?? seen.owner.id;
    const mover = identity.byId(moverId);
    const doer = mover ? { ...item, seen: { ...seen, principal: asAccount(mover) } } : item;
    return this.write(doer, commit, moverId);
  }

  /** The oldest merge in the base that contains the head, or the head itself if the base was fast-forwarded. */
  private async mergeOf({ pull, seen }: SeenPull, base: Oid): Promise<Oid> {
    const { history } = this.parts;
    const range = { tips: [base], not: [pull.headOid], order: "topo", minParents: 2 } as const;
    const { oids } = await history.page(seen, { ...range, skip: 0, limit: MAX_MERGES, count: false });
    for (const oid of [...oids].reverse()) if (await history.isAncestor(seen, pull.headOid, oid)) return oid;
    return pull.headOid;
  }

  private write(item: SeenPull, commit: Oid, byId: number | undefined): boolean {
    const { commits, db, record } = this.parts;
    const authored = commits.read(item.seen, commit)?.commit.author.timestamp ?? 0;
    return db.transaction(() => {
      const now = pullStore.findPull(db, item.issue.id);
      if (!now?.isOpen || isMerged(now)) return false;
      record.write({ ...item, pull: now }, { at: authored * 1000, byId, commit, isByHand: true });
      return true;
    });
  }
}
