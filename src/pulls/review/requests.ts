import { atLeast } from "../../access/levels.ts";
import { asAccount } from "../../access/principal.ts";
import type { User } from "../../access/user.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import type { IdentityService } from "../../identity/service.ts";
import { contextOf, eventOf } from "../../issues/context.ts";
import type { IssueService } from "../../issues/service.ts";
import type { Timeline } from "../../issues/timeline/service.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Forbidden, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { TeamService } from "../../organizations/teams/service.ts";
import type { Team } from "../../organizations/types.ts";
import type { CollaboratorService } from "../../repos/collaborators/service.ts";
import type { RepoService } from "../../repos/service.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { SeenPull } from "../types.ts";
import type { OfficialReviewers } from "./official.ts";
import * as store from "./store.ts";
import { isVerdict, type Review } from "./types.ts";

/** Names as given in requests: of accounts, or their addresses; of teams of the owner. */
export interface RequestedReviewers {
  readonly users: readonly string[];
  readonly teams: readonly string[];
}

export interface ResolvedReviewers {
  readonly users: readonly User[];
  readonly teams: readonly Team[];
}

export interface RequestParts {
  readonly clock: Clock;
  readonly collaborators: CollaboratorService;
  readonly db: Database;
  readonly identity: IdentityService;
  readonly issues: IssueService;
  readonly official: OfficialReviewers;
  readonly outbox: Outbox;
  readonly repos: RepoService;
  readonly teams: TeamService;
  readonly timeline: Timeline;
}

/** More than anyone asks at once. */
export const MAX_REVIEWERS = 100;

/** Requests for reviews (contract pulls.md 6.8). */
export class ReviewRequests {
  constructor(private readonly parts: RequestParts) {}

  /** Whether the caller may choose reviewers, whoever opened the pull request. */
  mayChoose(seen: SeenRepo): boolean {
    const { collaborators, teams } = this.parts;
    const { owner, principal, repo } = seen;
    const { user } = principal;
    if (!user || repo.isArchived) return false;
    if (owner.id === user.id || collaborators.isCollaborator(seen, user)) return true;
    if (owner.kind !== "organization") return false;
    return teams.ofMember(owner, user).some((team) => this.readsPulls(seen, team));
  }

  /** Whether the caller may choose reviewers for this one, which may be their own. */
  mayChooseFor({ issue, seen }: SeenPull): boolean {
    const isPoster = seen.principal.user !== undefined && seen.principal.user.id === issue.posterId;
    return this.mayChoose(seen) || (isPoster && !seen.repo.isArchived);
  }

  /** Suggested reviewers, for callers who may choose. @throws Forbidden */
  candidates(seen: SeenRepo): User[] {
    if (!this.mayChoose(seen)) throw new Forbidden("review.no-candidates");
    return this.people(seen);
  }

  /** Collaborators, members of teams that can read pull requests, and finally the owner. */
  people(seen: SeenRepo): User[] {
    const { collaborators, identity, teams } = this.parts;
    const isOrganization = seen.owner.kind === "organization";
    const members = isOrganization ? teams.repos.peopleOnRepo(seen, ["pulls"]) : [];
    const all = new Map(
      [...collaborators.all(seen).map(({ user }) => user), ...members].map((user) => [user.id, user]),
    );
    all.delete(seen.owner.id);
    const sorted = [...all.values()]
      .filter((user) => user.isActive && user.kind !== "organization" && identity.sees(seen.principal, user))
      .sort((a, b) => a.login.localeCompare(b.login, "en"));
    return isOrganization ? sorted : [...sorted, seen.owner];
  }

  /** The teams that can be asked. */
  candidateTeams(seen: SeenRepo): Team[] {
    if (seen.owner.kind !== "organization") return [];
    const { items } = this.parts.teams.repos.ofRepo(seen, { page: 1, limit: MAX_REVIEWERS, offset: 0 });
    return items.filter((team) => this.readsPulls(seen, team));
  }

  /**
   * The named reviewers, all of whom can be asked to review the poster's work.
   * @throws NotFound if unknown; ValidationFailed
   */
  resolve(seen: SeenRepo, posterId: number | undefined, asked: RequestedReviewers): ResolvedReviewers {
    const users = this.usersNamed(seen, asked.users);
    const teams = this.teamsNamed(seen, asked.teams);
    for (const user of users) this.requireReviewer(seen, posterId, user);
    for (const team of teams)
      if (!this.readsPulls(seen, team))
        throw new ValidationFailed("review.team-cannot-read", { field: "team_reviewers", params: this.about(seen) });
    return { users, teams };
  }

  /**
   * Asks people and teams.
   * @returns the new requests: nobody is asked twice
   * @throws NotFound, ValidationFailed; Forbidden if it is closed and they reviewed it, or the caller is blocked
   */
  add(item: SeenPull, asked: RequestedReviewers): Review[] {
    const { seen, issue } = item;
    const resolved = this.resolve(seen, issue.posterId, asked);
    if (resolved.users.length + resolved.teams.length === 0) return [];
    const present = store.reviewsOf(this.parts.db, issue.id, "all");
    const hasReviewed = (user: User) =>
      present.some(({ kind, reviewerId }) => reviewerId === user.id && kind !== "request");
    if (!this.mayChooseFor(item)) throw new ValidationFailed("review.may-not-choose", { params: this.about(seen) });
    this.parts.issues.requireUnblocked(item);
    if (!item.pull.isOpen && resolved.users.some(hasReviewed)) throw new Forbidden("review.closed");
    return this.parts.db.transaction(() => this.addAll(item, resolved));
  }

  /** Like `add`, without a permission check. Joins the running transaction. @param body the text of the entries */
  addAll(item: SeenPull, asked: ResolvedReviewers, body = ""): Review[] {
    const ids = this.begin(item, asked);
    this.enter(item, ids, body);
    return store.findReviews(this.parts.db, ids);
  }

  /**
   * Asks those not yet asked; `enter` adds it to the timeline. Joins the running transaction.
   * @returns ids of the requests
   */
  begin(item: SeenPull, { users, teams }: ResolvedReviewers): number[] {
    const present = store.reviewsOf(this.parts.db, item.issue.id, "all").filter(({ kind }) => kind === "request");
    const newUsers = users.filter(({ id }) => !present.some(({ reviewerId }) => reviewerId === id));
    const newTeams = teams.filter(({ id }) => !present.some(({ teamId }) => teamId === id));
    return [
      ...newUsers.map((user) => this.askUser(item, user)),
      ...newTeams.map((team) => this.ask(item, { teamId: team.id }, this.isOfficialTeam(item, team))),
    ];
  }

  /** Joins the running transaction. @param body the text of the entries */
  enter(item: SeenPull, ids: readonly number[], body = ""): void {
    const { db, timeline } = this.parts;
    for (const { id, reviewerId, teamId } of store.findReviews(db, ids))
      timeline.append(item, { kind: "review_request", assigneeId: reviewerId, teamId, reviewId: id, body });
  }

  /**
   * Withdraws requests; ignores reviewers who were not asked.
   * @throws NotFound, ValidationFailed; Forbidden if the caller is blocked
   */
  remove(item: SeenPull, asked: RequestedReviewers): void {
    const { db } = this.parts;
    const { issue, seen } = item;
    const users = this.usersNamed(seen, asked.users);
    const teams = this.teamsNamed(seen, asked.teams);
    const doer = seen.principal.user;
    const mayChoose = this.mayChooseFor(item);
    for (const user of users)
      if (!mayChoose && (user.id !== doer?.id || seen.repo.isArchived))
        throw new ValidationFailed("review.may-not-remove", { params: this.about(seen) });
    if (teams.length > 0 && !mayChoose)
      throw new ValidationFailed("review.may-not-remove", { params: this.about(seen) });
    this.parts.issues.requireUnblocked(item);
    db.transaction(() => {
      const requests = store.reviewsOf(db, issue.id, "all").filter(({ kind }) => kind === "request");
      for (const request of requests) {
        const user = users.find(({ id }) => id === request.reviewerId);
        const team = teams.find(({ id }) => id === request.teamId);
        if (user || team) this.takeBack(item, request, user);
      }
    });
  }

  /** The reviewer a name in CODEOWNERS means, if they can be asked: an account, its address, or a team of the owner. */
  ownerNamed(seen: SeenRepo, name: string): { readonly user: User } | { readonly team: Team } | undefined {
    const { identity } = this.parts;
    const [owner = "", teamName] = name.split("/", 2);
    if (teamName !== undefined) {
      if (owner.toLowerCase() !== seen.owner.login.toLowerCase() || seen.owner.kind !== "organization")
        return undefined;
      const team = this.teamNamed(seen, teamName);
      return team && this.readsPulls(seen, team) ? { team } : undefined;
    }
    const user = owner.includes("@") ? identity.byEmail(owner) : identity.byLogin(owner);
    return user && this.canReview(seen, user) ? { user } : undefined;
  }

  private askUser(item: SeenPull, user: User): number {
    const { db, official } = this.parts;
    const isOfficial = official.isOfficial(item.seen, item.pull.baseBranch, user);
    if (isOfficial) store.clearOfficial(db, item.issue.id, user.id);
    return this.ask(item, { userId: user.id }, isOfficial);
  }

  private isOfficialTeam({ pull, seen }: SeenPull, team: Team): boolean {
    return this.parts.official.isOfficialTeam(seen, pull.baseBranch, team);
  }

  private ask(
    { issue, seen }: SeenPull,
    { teamId, userId }: { readonly userId?: number; readonly teamId?: number },
    isOfficial: boolean,
  ): number {
    const { clock, db, outbox } = this.parts;
    const row = {
      issueId: issue.id,
      kind: "request",
      reviewerId: userId,
      teamId,
      isOfficial,
      createdAt: clock(),
    } as const;
    const id = store.insertReview(db, row);
    const payload = { ...eventOf(issue), reviewId: id, userId: userId ?? null, teamId: teamId ?? null };
    outbox.append("pull.review-requested", contextOf(seen, issue), payload);
    return id;
  }

  private takeBack(item: SeenPull, request: Review, user: User | undefined): void {
    const { db, outbox, timeline } = this.parts;
    const { issue, seen } = item;
    // Its entry stays, but no longer refers to a review.
    store.detachEntries(db, request.id);
    store.deleteReview(db, request.id);
    if (user) this.restoreOfficial(item, user);
    timeline.append(item, {
      kind: "review_request",
      isRemoval: true,
      ...(user ? { assigneeId: user.id } : { teamId: request.teamId }),
    });
    const payload = { ...eventOf(issue), userId: user?.id ?? null, teamId: request.teamId ?? null };
    outbox.append("pull.review-request-removed", contextOf(seen, issue), payload);
  }

  /** Makes the latest verdict of a reviewer count again, unless it is dismissed. Joins the running transaction. */
  restoreOfficial({ issue, pull, seen }: SeenPull, user: User): void {
    const { db, official } = this.parts;
    const latest = store
      .reviewsOf(db, issue.id, "all")
      .filter((review) => review.reviewerId === user.id && (isVerdict(review) || review.kind === "request"))
      .at(-1);
    if (latest && official.isOfficial(seen, pull.baseBranch, user)) store.setOfficial(db, latest.id, true);
  }

  private usersNamed({ principal }: SeenRepo, names: readonly string[]): User[] {
    const { identity } = this.parts;
    requireFew(names, "reviewers", "Reviewers");
    const users = names.map((name) => {
      const user = name.includes("@") ? identity.byEmail(name) : identity.byLogin(name);
      if (!user || user.kind === "reserved" || !identity.sees(principal, user))
        throw new NotFound("review.unknown-user", { params: { name } });
      return user;
    });
    return [...new Map(users.map((user) => [user.id, user])).values()];
  }

  private teamsNamed(seen: SeenRepo, names: readonly string[]): Team[] {
    if (seen.owner.kind !== "organization") return [];
    requireFew(names, "team_reviewers", "TeamReviewers");
    const teams = names.map((name) => {
      const team = this.teamNamed(seen, name);
      if (!team) throw new NotFound("review.unknown-team", { params: { name } });
      return team;
    });
    return [...new Map(teams.map((team) => [team.id, team])).values()];
  }

  private teamNamed(seen: SeenRepo, name: string): Team | undefined {
    try {
      return this.parts.teams.repos.ofRepoNamed(seen, name);
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }

  private requireReviewer(seen: SeenRepo, posterId: number | undefined, user: User): void {
    const refuse = (code: string) => new ValidationFailed(code, { field: "reviewers", params: this.about(seen) });
    if (user.kind === "organization") throw refuse("review.organization");
    if (user.id === posterId) throw refuse("review.poster");
    if (!this.canReview(seen, user)) throw refuse("review.cannot-read");
  }

  private canReview({ owner, repo }: SeenRepo, user: User): boolean {
    if (user.kind === "organization" || user.kind === "reserved") return false;
    return atLeast(this.parts.repos.accessOf(asAccount(user), repo, owner).on("pulls"), "read");
  }

  private readsPulls(seen: SeenRepo, team: Team): boolean {
    const level = team.level === "none" ? (team.units.pulls ?? "none") : team.level;
    return this.parts.teams.repos.has({ team }, seen) && atLeast(level, "read");
  }

  private about({ principal, repo }: SeenRepo) {
    return { userId: principal.user?.id ?? 0, repoId: repo.id };
  }
}

function requireFew(names: readonly string[], field: string, name: string): void {
  if (names.length > MAX_REVIEWERS) throw new ValidationFailed("value.too-long", { field, params: { name } });
}
