import { atLeast } from "../access/levels.ts";
import { accountOf, isSiteAdmin, operator, type Principal } from "../access/principal.ts";
import type { User } from "../access/user.ts";
import type { BlockService } from "../blocks/service.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import { storedPrincipal } from "../events/types.ts";
import type { IdentityService } from "../identity/service.ts";
import type { Clock } from "../kernel/clock.ts";
import { Conflict, Forbidden, NotFound, ValidationFailed } from "../kernel/errors.ts";
import type { OrganizationService } from "../organizations/service.ts";
import type { TeamService } from "../organizations/teams/service.ts";
import type { Team } from "../organizations/types.ts";
import type { QuotaService } from "../quotas/service.ts";
import { contentSubject } from "../quotas/subjects.ts";
import type { CollaboratorService } from "../repos/collaborators/service.ts";
import type { RepoService } from "../repos/service.ts";
import type { Repo, SeenRepo } from "../repos/types.ts";
import * as store from "./store.ts";

export interface TransferNeeds {
  readonly db: Database;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly identity: IdentityService;
  readonly blocks: BlockService;
  readonly quotas: QuotaService;
  readonly repos: RepoService;
  readonly collaborators: CollaboratorService;
  readonly organizations: OrganizationService;
  readonly teams: TeamService;
}

export interface Transfer {
  readonly repoId: number;
  readonly doer: User;
  readonly recipient: User;
  readonly teams: readonly Team[];
}

/** Pending transfers of repositories to another owner (contract repositories.md 8). */
export class TransferService {
  constructor(private readonly needs: TransferNeeds) {}

  /**
   * Pending transfers of these repositories, with one query each for accounts and teams. Unless the principal
   * administers the repository, transfers whose accounts they may not see are left out.
   */
  pendingOf(principal: Principal, seen: readonly SeenRepo[]): Map<number, Transfer> {
    const { db } = this.needs;
    const rows = store.findTransfers(
      db,
      seen.map(({ repo }) => repo.id),
    );
    const administered = new Set(
      seen.filter(({ access }) => atLeast(access.level, "admin")).map(({ repo }) => repo.id),
    );
    const shown = this.withAccounts(rows).filter(
      ({ repoId, doer, recipient }) => administered.has(repoId) || this.seesBoth(principal, doer, recipient),
    );
    return new Map(shown.map((transfer) => [transfer.repoId, transfer]));
  }

  /** Transfers awaiting the caller's answer. */
  offeredTo(principal: Principal, limit: number): { readonly seen: SeenRepo; readonly transfer: Transfer }[] {
    const rows = store.transfersFor(this.needs.db, accountOf(principal).id, limit);
    const seen = new Map(
      this.needs.repos
        .seeEach(
          principal,
          rows.map(({ repoId }) => repoId),
        )
        .map((each) => [each.repo.id, each]),
    );
    return this.withAccounts(rows).flatMap((transfer) => {
      const repo = seen.get(transfer.repoId);
      return repo ? [{ seen: repo, transfer }] : [];
    });
  }

  /**
   * Transfers the repository: immediately if the principal may put it there, else once the recipient accepts.
   * @param newOwner name of an account or organization
   * @returns whether it is complete
   * @throws NotFound, ValidationFailed, Forbidden, Conflict as in contract 8.1
   */
  start(seen: SeenRepo, newOwner: string, teamIds: readonly number[]): boolean {
    const { blocks, db, organizations, outbox, repos } = this.needs;
    const { owner, principal, repo } = seen;
    if (!atLeast(seen.access.level, "owner")) throw new Forbidden("repository.needs-owner");
    return db.transaction(() => {
      const recipient = this.recipientNamed(principal, newOwner);
      const teams = this.teamsAskedFor(recipient, teamIds);
      if (store.findTransfers(db, [repo.id]).length > 0) throw new Conflict("transfer.pending");
      const doer = accountOf(principal);
      const isDirect =
        isSiteAdmin(principal) ||
        recipient.id === doer.id ||
        (recipient.kind === "organization" && organizations.accountMayCreateRepos(recipient, doer));
      if (!isDirect) blocks.requireUnblocked(recipient, doer);
      repos.requireFreeName(recipient, repo.name);
      if (isDirect) {
        this.move(principal, repo, recipient, teams);
        return true;
      }
      store.insertTransfer(db, {
        repoId: repo.id,
        doerId: doer.id,
        recipientId: recipient.id,
        teamIds: teams.map(({ id }) => id),
        createdAt: this.needs.clock(),
      });
      this.letRecipientSee(repo, recipient);
      const context = { repoId: repo.id, ownerId: owner.id, principal: storedPrincipal(principal) };
      outbox.append("repo.transfer-started", context, { recipientId: recipient.id });
      outbox.append("access.changed", { repoId: repo.id, ownerId: owner.id }, { userId: null });
      return false;
    });
  }

  /**
   * @throws NotFound none is pending; Forbidden not the recipient, or the repository limit is reached; ValidationFailed
   * the name is taken
   */
  accept(seen: SeenRepo): Repo {
    const { db, identity, repos } = this.needs;
    const { principal, repo } = seen;
    return db.transaction(() => {
      const { recipientId, teamIds } = this.require(repo);
      const recipient = identity.byId(recipientId);
      if (!recipient) throw new NotFound("transfer.none", { params: { id: repo.id } });
      const limit = recipient.maxRepoCreation;
      const isFull = limit >= 0 && (repos.countsOwned([recipient]).get(recipient.id) ?? 0) >= limit;
      this.requireRecipient(principal, recipient);
      if (isFull && !isSiteAdmin(principal)) throw new Forbidden("transfer.limit-reached");
      store.deleteTransfer(db, repo.id);
      // A team may have been deleted meanwhile.
      const teams = this.needs.teams.byIds(teamIds).filter(({ organizationId }) => organizationId === recipient.id);
      return this.move(principal, repo, recipient, teams);
    });
  }

  /** @throws NotFound none is pending; Forbidden not the recipient */
  reject(seen: SeenRepo): void {
    this.end(seen, (recipient) => this.requireRecipient(seen.principal, recipient));
  }

  /**
   * Cancels the transfer.
   * @throws NotFound none is pending; Forbidden the caller neither started it nor administers the repository
   */
  cancel(seen: SeenRepo): void {
    this.end(seen, (_, doerId) => {
      if (seen.principal.user?.id !== doerId && !atLeast(seen.access.level, "admin"))
        throw new Forbidden("repository.needs-admin");
    });
  }

  /** Whether the account may answer for the recipient. */
  mayAnswer(principal: Principal, recipient: User): boolean {
    const { user } = principal;
    if (!user) return false;
    return recipient.kind === "organization"
      ? this.needs.organizations.accountMayCreateRepos(recipient, user)
      : recipient.id === user.id;
  }

  /** Deletes transfers between two accounts when one blocks the other. Joins the running transaction. */
  forgetBetween(one: number, other: number): void {
    store.deleteTransfersBetween(this.needs.db, one, other);
  }

  private end({ repo, owner, principal }: SeenRepo, check: (recipient: User, doerId: number) => void): void {
    const { db, identity, outbox } = this.needs;
    db.transaction(() => {
      const { recipientId, doerId } = this.require(repo);
      const recipient = identity.byId(recipientId);
      if (!recipient) throw new NotFound("transfer.none", { params: { id: repo.id } });
      check(recipient, doerId);
      store.deleteTransfer(db, repo.id);
      const context = { repoId: repo.id, ownerId: owner.id, principal: storedPrincipal(principal) };
      outbox.append("repo.transfer-ended", context, { recipientId });
      outbox.append("access.changed", { repoId: repo.id, ownerId: owner.id }, { userId: null });
    });
  }

  private move(principal: Principal, repo: Repo, recipient: User, teams: readonly Team[]): Repo {
    const { collaborators, organizations, quotas, repos } = this.needs;
    quotas.require(recipient, contentSubject(repo.isPrivate), repo.sizeBytes);
    const moved = repos.changeOwner(principal, repo, recipient);
    this.needs.teams.repos.forget(repo.id);
    const seen = repos.seeById(operator, repo.id);
    if (!seen) throw new NotFound();
    for (const { user } of collaborators.all(seen))
      if (user.id === recipient.id || organizations.belongs(recipient, user)) collaborators.remove(seen, user);
    for (const team of teams) this.needs.teams.repos.add(seen, team);
    return moved;
  }

  /**
   * Grants read access to a person who cannot see it yet. Organization members see repositories offered to them anyway.
   */
  private letRecipientSee(repo: Repo, recipient: User): void {
    const { collaborators, repos } = this.needs;
    if (recipient.kind === "organization" || repos.mayReadAs(recipient, repo.id)) return;
    const seen = repos.seeById(operator, repo.id);
    if (seen) collaborators.put(seen, recipient, "read");
  }

  /** @throws NotFound missing, or invisible to the principal (callers cannot tell which) */
  private recipientNamed(principal: Principal, name: string): User {
    const { identity } = this.needs;
    const found = identity.byLogin(name);
    const isOwner = found && found.kind !== "reserved" && identity.sees(principal, found);
    if (!isOwner) throw new NotFound("transfer.no-such-owner");
    return found;
  }

  private teamsAskedFor(recipient: User, teamIds: readonly number[]): Team[] {
    if (teamIds.length === 0) return [];
    if (recipient.kind !== "organization") throw new ValidationFailed("transfer.teams-need-organization");
    const found = new Map(this.needs.teams.byIds(teamIds).map((team) => [team.id, team]));
    return teamIds.map((id) => {
      const team = found.get(id);
      if (!team) throw new ValidationFailed("transfer.no-such-team", { params: { id } });
      if (team.organizationId !== recipient.id)
        throw new Forbidden("transfer.foreign-team", { params: { id, organization: recipient.id } });
      return team;
    });
  }

  private requireRecipient(principal: Principal, recipient: User): void {
    if (!this.mayAnswer(principal, recipient)) throw new Forbidden("transfer.not-yours");
  }

  private require(repo: Repo): store.TransferRow {
    const [row] = store.findTransfers(this.needs.db, [repo.id]);
    if (!row) throw new NotFound("transfer.none", { params: { id: repo.id } });
    return row;
  }

  private seesBoth(principal: Principal, doer: User, recipient: User): boolean {
    const { identity } = this.needs;
    const sees = identity.sees(principal, doer) && identity.sees(principal, recipient);
    return sees || this.mayAnswer(principal, recipient);
  }

  private withAccounts(rows: readonly store.TransferRow[]): Transfer[] {
    if (rows.length === 0) return [];
    const accounts = this.needs.identity.byIds(rows.flatMap(({ doerId, recipientId }) => [doerId, recipientId]));
    const teams = new Map(
      this.needs.teams.byIds(rows.flatMap(({ teamIds }) => teamIds)).map((team) => [team.id, team]),
    );
    return rows.flatMap(({ repoId, doerId, recipientId, teamIds }) => {
      const [doer, recipient] = [accounts.get(doerId), accounts.get(recipientId)];
      if (!doer || !recipient) return [];
      return [{ repoId, doer, recipient, teams: teamIds.flatMap((id) => teams.get(id) ?? []) }];
    });
  }
}
