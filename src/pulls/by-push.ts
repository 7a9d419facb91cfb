import type { CommitService } from "../content/commits/service.ts";
import type { HistoryService } from "../content/history/service.ts";
import type { Database } from "../db/database.ts";
import type { ErrorMessages } from "../http/error-words.ts";
import { issuePage } from "../issues/addresses.ts";
import { Failure } from "../kernel/errors.ts";
import type { Links } from "../kernel/links.ts";
import type { RefService } from "../repos/refs/service.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { ReceivedPull, RequestedPull } from "../transport/refs-for.ts";
import type { PullCreation } from "./creation.ts";
import type { PullService } from "./service.ts";
import type { PullState } from "./state.ts";
import { pullRef, type SeenPull } from "./types.ts";

export interface ByPushParts {
  readonly commits: CommitService;
  readonly creation: PullCreation;
  readonly db: Database;
  readonly history: HistoryService;
  readonly links: Links;
  readonly messages: ErrorMessages;
  readonly pulls: PullService;
  readonly refs: RefService;
  readonly state: PullState;
}

/** Pull requests created and updated by pushes to `refs/for/` (contract pulls.md 15). */
export class PullsByPush {
  constructor(private readonly parts: ByPushParts) {}

  async receive(seen: SeenRepo, request: RequestedPull, say: (text: string) => void): Promise<ReceivedPull> {
    const { messages, pulls } = this.parts;
    try {
      pulls.requireReadable(seen);
      const { base: baseBranch, head: headBranch } = request;
      const pair = { repoId: seen.repo.id, baseBranch, headRepoId: seen.repo.id, headBranch, isAgit: true };
      const present = pulls.openBetween(pair);
      const item = present && pulls.byId(seen.principal, present.issueId);
      return item ? await this.update(item, request, say) : await this.create(seen, request, say);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { ok: false, reason: messages.of(error) };
    }
  }

  private async create(seen: SeenRepo, request: RequestedPull, say: (text: string) => void): Promise<ReceivedPull> {
    const { commits, creation, history, pulls } = this.parts;
    const { base, head, newOid } = request;
    const read = commits.read(seen, newOid);
    if (!read) return { ok: false, reason: "not a commit" };
    const tip = pulls.baseTip({ repoId: seen.repo.id, baseBranch: base });
    if (tip !== undefined && (await history.isAncestor(seen, newOid, tip)))
      return { ok: false, reason: "The target branch already contains this commit" };
    const [subject = "", ...rest] = read.commit.message.trim().split("\n");
    const title = request.title?.trim() || subject.trim() || head;
    const body = request.description ?? rest.join("\n").trim();
    const item = await creation.createPushed(seen, { base, head, headOid: newOid, title, body });
    this.tell(item, say);
    return { ok: true, refname: pullRef(item.pull), oldOid: null, isForced: false };
  }

  private async update(
    item: SeenPull,
    { mayForce, newOid }: RequestedPull,
    say: (text: string) => void,
  ): Promise<ReceivedPull> {
    const { db, history, pulls, refs, state } = this.parts;
    const { headOid } = item.pull;
    if (headOid === newOid) return { ok: false, reason: "new commit is same with old commit" };
    const isForced = !(await history.isAncestor(item.seen, headOid, newOid));
    if (isForced && !mayForce) return { ok: false, reason: "request `force-push` push option" };
    const isDone = db.transaction(() => {
      const now = pulls.refreshed(item);
      if (now.pull.headOid !== headOid || !now.pull.isOpen) return false;
      state.moveRef(now, newOid);
      return true;
    });
    if (!isDone) return { ok: false, reason: "failed to update ref" };
    await refs.projected();
    this.tell(item, say);
    return { ok: true, refname: pullRef(item.pull), oldOid: headOid, isForced };
  }

  private tell(item: SeenPull, say: (text: string) => void): void {
    say(`\nVisit the existing pull request:\n  ${issuePage(item, this.parts.links)}\n`);
  }
}
