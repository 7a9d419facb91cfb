import { ValidationFailed } from "../../kernel/errors.ts";
import type { LfsRemote } from "../../lfs/remote/service.ts";
import { type RefSelection, selects } from "../../remotes/selection.ts";
import type { RemoteRequest, RemoteService } from "../../remotes/service.ts";
import { findWiki } from "../../remotes/wiki.ts";
import type { GitFolders } from "../../repos/folders/service.ts";
import { asCode } from "../../repos/folders/types.ts";
import type { RefService } from "../../repos/refs/service.ts";
import { keepsWiki } from "../../repos/settings/defaults.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { PushMirror } from "./types.ts";

export interface DeliveryParts {
  readonly folders: GitFolders;
  readonly lfsRemote: LfsRemote;
  readonly refs: RefService;
  readonly remotes: RemoteService;
}

const WIKI: RefSelection = { tags: true, others: false };

/** Pushes to a mirror: large files first, so that no ref names a missing one; then refs, and the wiki. */
export class PushDelivery {
  constructor(private readonly parts: DeliveryParts) {}

  /** @throws Failure */
  async push(mirror: PushMirror, seen: SeenRepo, request: RemoteRequest): Promise<void> {
    const { folders, remotes } = this.parts;
    const select = { branches: mirror.branches, tags: true, others: false };
    await this.largeFiles(mirror, seen, request, select);
    await this.refs(seen, request, select);
    const wiki = keepsWiki(seen.repo.settings) ? folders.find(seen.repo.id, "wiki") : undefined;
    if (!wiki || wiki.isEmpty) return;
    const there = await findWiki(remotes, request);
    if (there) await this.refs(asCode(seen, wiki), { ...request, address: there.address }, WIKI);
  }

  private async largeFiles(
    { failures, pushedAt }: PushMirror,
    seen: SeenRepo,
    request: RemoteRequest,
    select: RefSelection,
  ): Promise<void> {
    const { lfsRemote, refs, remotes } = this.parts;
    if (!lfsRemote.mayHave(seen)) return;
    const isSelected = selects(select);
    const tips = refs.visible(seen.repo.id).refs.flatMap(({ name, oid }) => (isSelected(name) ? [oid] : []));
    // Refs pushed without their large files exist there; after a failure, or the first time, all files are checked.
    const isKnown = failures === 0 && pushedAt !== undefined;
    const there = isKnown ? (await remotes.list(request)).refs.map(({ oid }) => oid) : [];
    const { address, signal } = request;
    await lfsRemote.push(seen, tips, there, { address, endpoint: "", signal });
  }

  private async refs({ repo }: SeenRepo, request: RemoteRequest, select: RefSelection): Promise<void> {
    const results = await this.parts.remotes.push({ ...request, repo, select, prune: true, force: true });
    const refused = results.find(({ ok }) => !ok);
    if (refused)
      throw new ValidationFailed("push-mirror.ref-refused", {
        params: { name: refused.name, reason: "reason" in refused ? String(refused.reason).slice(0, 200) : "" },
      });
  }
}
