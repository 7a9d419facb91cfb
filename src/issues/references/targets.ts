import type { Principal } from "../../access/principal.ts";
import type { BlockService } from "../../blocks/service.ts";
import type { Database } from "../../db/database.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { ItemReference } from "../../references/grammar.ts";
import type { Resolver, Target } from "../../references/service.ts";
import type { RepoService } from "../../repos/service.ts";
import type { SeenRepo } from "../../repos/types.ts";
import { isPoster, mayWrite } from "../rights.ts";
import type { IssueService } from "../service.ts";
import type { SeenIssue } from "../types.ts";
import { idsByNumber } from "./store.ts";

export interface TargetNeeds {
  readonly db: Database;
  readonly blocks: BlockService;
  readonly identity: IdentityService;
  readonly issues: IssueService;
  readonly repos: RepoService;
}

/** Resolves references to items, as far as a principal may read them. */
export class ReferenceTargets {
  constructor(private readonly needs: TargetNeeds) {}

  /**
   * The items in the order of their references: undefined if missing or not readable. Uses a fixed number of queries.
   * @param home the repository that bare numbers refer to
   */
  find(
    principal: Principal,
    home: SeenRepo | undefined,
    references: readonly ItemReference[],
  ): (SeenIssue | undefined)[] {
    const { db, issues, repos } = this.needs;
    const others = new Map(references.flatMap(({ repo }) => (repo ? [[nameOf(repo), repo] as const] : [])));
    const named = repos.seeNamed(
      principal,
      [...others.values()].map(({ name, owner }) => [owner, name] as const),
    );
    const repoOf = ({ repo }: ItemReference) => (repo ? named.get(nameOf(repo)) : home)?.repo.id;
    const pairs = references.flatMap((reference) => {
      const repoId = repoOf(reference);
      return repoId === undefined ? [] : [[repoId, reference.number] as const];
    });
    const ids = idsByNumber(db, pairs);
    const items = new Map(issues.seeEach(principal, [...ids.values()]).map((item) => [item.issue.id, item]));
    return references.map((reference) => items.get(ids.get(`${repoOf(reference)} ${reference.number}`) ?? 0));
  }

  /** Whether the item's owner or author blocks the viewer. */
  isBlockedFrom({ issue, seen }: SeenIssue): boolean {
    const { blocks, identity } = this.needs;
    const { user } = seen.principal;
    if (!user || user.isAdmin) return false;
    const poster = issue.posterId === undefined ? undefined : identity.byId(issue.posterId);
    return [seen.owner, ...(poster ? [poster] : [])].some(
      (account) => account.id !== user.id && blocks.isBlocked(account, user),
    );
  }

  /** Whether the viewer's keywords count: the target is theirs, or they have write access. */
  mayAct(item: SeenIssue): boolean {
    return !item.issue.isPull && (isPoster(item) || mayWrite(item));
  }

  /** Renders references in texts: `#12` within the text's repository, `owner/name#12` for others. */
  readonly resolve: Resolver<ItemReference> = ({ principal, repo }, references) =>
    this.find(principal, repo, references).map((item): Target | undefined => {
      if (!item) return undefined;
      const { issue, seen } = item;
      const path = `${seen.owner.login}/${seen.repo.name}`;
      const isOwn = repo !== undefined && repo.repo.id === seen.repo.id;
      return {
        href: `/${path}/${issue.isPull ? "pulls" : "issues"}/${issue.number}`,
        label: `${isOwn ? "" : path}#${issue.number}`,
        className: "ref-issue",
        title: issue.title,
      };
    });
}

const nameOf = ({ owner, name }: { readonly owner: string; readonly name: string }) => `${owner}/${name}`.toLowerCase();
