import { accountOf } from "../../access/principal.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { ReplayAction } from "../../git/replay/replay.job.ts";
import type { SigningKey } from "../../git/signing/signer.ts";
import { accountsBehind, gitIdentityOf } from "../../identity/git-identity.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { Links } from "../../kernel/links.ts";
import type { SignatureService } from "../../keys/verification/service.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { ServerSigning, SigningFacts, SigningRefusal } from "../../signing/service.ts";
import type { CommitService, ReadCommit } from "../commits/service.ts";
import { signedCommit } from "../commits/signed.ts";
import type { HistoryService } from "../history/service.ts";

/** Two branches to be merged. */
export interface MergeTips {
  readonly base: Oid;
  readonly head: Oid;
  /** Whether an approval of the pull request counts. */
  readonly isApproved?: boolean;
}

export interface CommitSigningParts {
  readonly signing: ServerSigning;
  readonly signatures: SignatureService;
  readonly commits: CommitService;
  readonly history: HistoryService;
  readonly identity: IdentityService;
  readonly links: Links;
}

const COMMITS_AT_ONCE = 200;
/** In larger pull requests, whether all commits are verified is not determined. */
const MAX_COMMITS = 20_000;

/** When the server signs commits it makes in a repository, and with which key. */
export class CommitSigning {
  constructor(private readonly parts: CommitSigningParts) {}

  /** @param parent the commit that the edit builds on; undefined if there is none yet */
  async forEdit(
    seen: SeenRepo,
    parent: Oid | undefined,
    committer: { readonly email: string },
  ): Promise<SigningKey | undefined> {
    if (!this.isOwn(seen, committer)) return undefined;
    const { signing } = this.parts;
    const userId = accountOf(seen.principal).id;
    if (parent === undefined) return inRepo(seen, signing, await signing.keyFor("initial", userId));
    const facts = { parentsigned: () => this.isVerified(seen, parent) };
    return inRepo(seen, signing, await signing.keyFor("edits", userId, facts));
  }

  /** The key for the commits of an action; a fast-forward makes none. */
  async forReplay(
    seen: SeenRepo,
    action: ReplayAction,
    committer: { readonly email: string },
    isApproved = false,
  ): Promise<SigningKey | undefined> {
    if (action.kind === "fast-forward") return undefined;
    if (action.kind === "cherry-pick" || action.kind === "revert") return this.forEdit(seen, action.onto, committer);
    if (!this.isOwn(seen, committer)) return undefined;
    const tips =
      action.kind === "rebase" || action.kind === "rebase-merge"
        ? { base: action.onto, head: action.branch, isApproved }
        : { base: action.base, head: action.head, isApproved };
    const { signing } = this.parts;
    const key = await signing.keyFor("merges", accountOf(seen.principal).id, this.mergeFacts(seen, tips));
    return inRepo(seen, signing, key);
  }

  /** Why a merge would not be signed (contract pulls.md 10); undefined if it would be. */
  refusalOfMerge(seen: SeenRepo, tips: MergeTips): Promise<SigningRefusal | undefined> {
    return this.parts.signing.refusal("merges", accountOf(seen.principal).id, this.mergeFacts(seen, tips));
  }

  private mergeFacts(seen: SeenRepo, { base, head, isApproved = false }: MergeTips): SigningFacts {
    return {
      basesigned: () => this.isVerified(seen, base),
      headsigned: () => this.isVerified(seen, head),
      commitssigned: () => this.areVerified(seen, base, head),
      approved: () => isApproved,
    };
  }

  /** The server does not vouch for a committer other than the caller. */
  private isOwn({ principal }: SeenRepo, { email }: { readonly email: string }): boolean {
    const { identity, links } = this.parts;
    const doer = accountOf(principal);
    const lower = email.toLowerCase();
    if (lower === gitIdentityOf(doer, links).email.toLowerCase()) return true;
    return accountsBehind(identity, links, [lower]).get(lower)?.id === doer.id;
  }

  private async isVerified(seen: SeenRepo, oid: Oid): Promise<boolean> {
    return (await this.countVerified(this.parts.commits.readAll(seen, [oid]))) === 1;
  }

  /** Whether every commit that only the head has is signed with a known key. */
  async areVerified(seen: SeenRepo, base: Oid, head: Oid): Promise<boolean> {
    const { commits, history } = this.parts;
    for (let skip = 0; skip < MAX_COMMITS; skip += COMMITS_AT_ONCE) {
      const page = { tips: [head], not: [base], skip, limit: COMMITS_AT_ONCE, count: false };
      const { oids } = await history.page(seen, page);
      if ((await this.countVerified(commits.readAll(seen, oids))) < oids.length) return false;
      if (oids.length < COMMITS_AT_ONCE) return true;
    }
    return false;
  }

  private async countVerified(read: readonly ReadCommit[]): Promise<number> {
    return (await this.parts.signatures.verified(read.map(signedCommit))).size;
  }
}

/** The key with the committer used for it in this repository. */
function inRepo({ repo }: SeenRepo, signing: ServerSigning, key: SigningKey | undefined): SigningKey | undefined {
  return key && { ...key, committer: signing.committerIn(repo.settings.trustModel) };
}
