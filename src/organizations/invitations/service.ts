import { accountOf, operator, type Principal } from "../../access/principal.ts";
import type { User } from "../../access/user.ts";
import type { AuditService } from "../../audit/service.ts";
import type { Database } from "../../db/database.ts";
import type { EmailService } from "../../identity/emails/service.ts";
import type { IdentityService } from "../../identity/service.ts";
import { checkEmail } from "../../identity/values.ts";
import type { Clock } from "../../kernel/clock.ts";
import { BadRequest, Forbidden, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import { equalSecrets, hmacSha256 } from "../../kernel/ids.ts";
import { RateLimiter } from "../../kernel/rate-limiter.ts";
import type { MailContent } from "../../mail/content.ts";
import type { MailService } from "../../mail/service.ts";
import { requireOwner } from "../service.ts";
import type { TeamService } from "../teams/service.ts";
import type { SeenTeam } from "../types.ts";
import * as store from "./store.ts";

export type { Invitation } from "./store.ts";

declare module "../../audit/actions.ts" {
  interface AuditActions {
    "team-invited": { readonly team: string; readonly email: string };
    "team-invitation-withdrawn": { readonly team: string; readonly email: string };
  }
}

/** Builds the content of an invitation mail; the words are the pages' (web/organizations/mails.ts). */
export type InvitationMailWords = (about: InvitationMail) => Promise<MailContent>;

export interface InvitationMail {
  readonly organization: string;
  readonly team: string;
  /** Empty: the inviting account is gone. */
  readonly inviter: string;
  /** The language of the account that has the address; empty: none has it. */
  readonly language: string;
  readonly href: string;
  readonly days: number;
}

export interface InvitationNeeds {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly identity: IdentityService;
  readonly emails: EmailService;
  readonly mail: MailService;
  readonly teams: TeamService;
  readonly words: InvitationMailWords;
  readonly secret: string;
  readonly rootUrl: string;
  /** Whether visitors can register now. */
  readonly isRegistrationOpen: () => boolean;
}

/** What an invitation's link shows. */
export interface OpenInvitation {
  readonly team: SeenTeam;
  readonly inviter: User | undefined;
  /** The caller's account has the invited address. */
  readonly isForCaller: boolean;
}

const KIND = "organizations.team-invitation";
const DAYS = 14;
/** Maximum number of open invitations per team. */
const MAX_OPEN = 100;
const CODE = /^(\d{1,15})-([0-9a-f]{64})$/;

/**
 * Invitations to teams by mail. The owner of the invited address follows the link and joins; nobody learns whether an
 * account already has it.
 */
export class TeamInvitations {
  private readonly key: string;
  /** Limits, per inviter, mail to addresses that did not ask for it. */
  private readonly mails: RateLimiter;

  constructor(private readonly needs: InvitationNeeds) {
    this.key = hmacSha256(needs.secret, "team-invitations", "hex");
    this.mails = new RateLimiter({ limit: 50, windowMs: 60 * 60_000 });
    needs.mail.compose(KIND, async ({ invitation }) => {
      const row = store.findInvitation(needs.db, Number(invitation));
      const team = row && this.teamOf(row);
      if (!row || !team) return undefined;
      const account = needs.identity.byEmail(row.email);
      const about = {
        organization: team.seen.organization.fullName || team.seen.organization.login,
        team: team.team.name,
        inviter: (row.inviterId === null ? undefined : needs.identity.byId(row.inviterId))?.login ?? "",
        language: account?.language ?? "",
        href: this.hrefOf(row, account !== undefined),
        days: DAYS,
      };
      return { to: row.email, content: await needs.words(about) };
    });
  }

  /**
   * Mails an invitation link; its recipient can join the team.
   * @throws Forbidden not an owner; BadRequest `mail.not-configured`; ValidationFailed no address, invited already,
   * too many; TooManyRequests
   */
  invite({ team, seen }: SeenTeam, email: string): void {
    requireOwner(seen);
    checkEmail(email);
    const { audit, clock, db, mail } = this.needs;
    if (!mail.isConfigured) throw new BadRequest("mail.not-configured");
    const { organization, principal } = seen;
    this.mails.take(String(principal.user?.id ?? 0));
    db.transaction(() => {
      const now = clock();
      store.deleteOverInvitations(db, now);
      if (store.countInvitations(db, team.id) >= MAX_OPEN)
        throw new ValidationFailed("invitation.too-many", { field: "email", params: { max: MAX_OPEN } });
      const expiresAt = now + DAYS * 86_400_000;
      const inviterId = principal.user?.id ?? null;
      const id = store.insertInvitation(db, { teamId: team.id, email, inviterId, createdAt: now, expiresAt });
      if (id === undefined) throw new ValidationFailed("invitation.exists", { field: "email", params: { email } });
      audit.append(principal, "team-invited", organization, { team: team.name, email });
      mail.enqueue(KIND, { invitation: id });
    });
  }

  /** The open invitations of a team. @throws Forbidden not an owner */
  list({ team, seen }: SeenTeam): store.Invitation[] {
    requireOwner(seen);
    return store.invitationsOf(this.needs.db, team.id, this.needs.clock());
  }

  /** Invalidates the link of an invitation. @throws Forbidden not an owner; NotFound */
  withdraw({ team, seen }: SeenTeam, id: number): void {
    requireOwner(seen);
    const { audit, db } = this.needs;
    db.transaction(() => {
      const { email } = store.findInvitation(db, id) ?? { email: "" };
      if (!store.deleteInvitation(db, team.id, id)) throw new NotFound();
      audit.append(seen.principal, "team-invitation-withdrawn", seen.organization, { team: team.name, email });
    });
  }

  /** The invitation behind a link. @throws NotFound it is expired, withdrawn, used or invalid */
  look(principal: Principal, code: string): OpenInvitation {
    const { team, row } = this.open(code);
    const { identity } = this.needs;
    const inviter = row.inviterId === null ? undefined : identity.byId(row.inviterId);
    return { team, inviter, isForCaller: this.isFor(row, accountOf(principal)) };
  }

  /**
   * Adds the caller to the team, on the authority of the owner who sent the invitation.
   * @throws NotFound as `look`; Forbidden `invitation.other-address`, or one side blocks the other
   */
  accept(principal: Principal, code: string): SeenTeam {
    const { db, teams } = this.needs;
    const user = accountOf(principal);
    return db.transaction(() => {
      const { team, row } = this.open(code);
      if (!this.isFor(row, user)) throw new Forbidden("invitation.other-address");
      teams.addMember({ ...team, seen: { ...team.seen, principal } }, user);
      store.deleteInvitation(db, row.teamId, row.id);
      return team;
    });
  }

  private open(code: string): { readonly row: store.Invitation; readonly team: SeenTeam } {
    const [, number = "", given = ""] = CODE.exec(code) ?? [];
    const row = number === "" ? undefined : store.findInvitation(this.needs.db, Number(number));
    if (!row || !equalSecrets(given, this.mac(row))) throw new NotFound();
    const team = this.teamOf(row);
    if (!team) throw new NotFound();
    return { row, team };
  }

  /** As seen by an owner, whose authority the invitation carries; undefined if expired. */
  private teamOf(row: store.Invitation): SeenTeam | undefined {
    return row.expiresAt <= this.needs.clock() ? undefined : this.needs.teams.find(operator, row.teamId);
  }

  private isFor({ email }: store.Invitation, user: User): boolean {
    return this.needs.emails.ofAccount(user.id).some((own) => own.email.toLowerCase() === email.toLowerCase());
  }

  private hrefOf(row: store.Invitation, hasAccount: boolean): string {
    const path = `org/invite/${row.id}-${this.mac(row)}`;
    const { isRegistrationOpen, rootUrl } = this.needs;
    if (hasAccount || !isRegistrationOpen()) return rootUrl + path;
    return `${rootUrl}user/sign_up?${new URLSearchParams({ redirect_to: `/${path}` })}`;
  }

  private mac({ id, teamId, email, createdAt, expiresAt }: store.Invitation): string {
    return hmacSha256(this.key, JSON.stringify([id, teamId, email, createdAt, expiresAt]), "hex");
  }
}
