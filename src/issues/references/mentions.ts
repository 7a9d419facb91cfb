import { atLeast } from "../../access/levels.ts";
import { asAccount } from "../../access/principal.ts";
import type { User } from "../../access/user.ts";
import type { BlockService } from "../../blocks/service.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { TeamService } from "../../organizations/teams/service.ts";
import type { Mention } from "../../references/reader.ts";
import type { RepoService } from "../../repos/service.ts";
import type { IssueService } from "../service.ts";
import type { SeenIssue } from "../types.ts";
import { unitOf } from "../types.ts";

export interface MentionNeeds {
  readonly blocks: BlockService;
  readonly identity: IdentityService;
  readonly issues: IssueService;
  readonly repos: RepoService;
  readonly teams: TeamService;
}

/** Resolves the accounts reached by a text's mentions (contract issues.md 18.5). */
export class Mentioned {
  constructor(private readonly needs: MentionNeeds) {}

  /** Active people who may read the item and have not blocked the author; never the author. */
  of(item: SeenIssue, author: User, mentions: readonly Mention[]): User[] {
    const { blocks, identity } = this.needs;
    const accounts = mentions.flatMap(({ login, team }) =>
      team === undefined ? (identity.byLogin(login) ?? []) : this.membersOf(item, login, team),
    );
    const people = new Map(accounts.map((user) => [user.id, user]));
    people.delete(author.id);
    return [...people.values()].filter(
      (user) =>
        identity.accountProblem(user) === undefined && !blocks.isBlocked(user, author) && this.mayRead(item, user),
    );
  }

  /** Members of a team of the repository's organization, if the team has access to the item. */
  private membersOf({ issue, seen }: SeenIssue, login: string, name: string): User[] {
    const { owner } = seen;
    if (owner.kind !== "organization" || owner.login.toLowerCase() !== login.toLowerCase()) return [];
    return this.needs.teams.repos.membersConcerned(seen, name, unitOf(issue));
  }

  private mayRead({ issue, seen }: SeenIssue, user: User): boolean {
    const { issues, repos } = this.needs;
    const access = repos.accessOf(asAccount(user), seen.repo, seen.owner);
    return atLeast(issues.levelOn({ ...seen, access }, issue), "read");
  }
}
