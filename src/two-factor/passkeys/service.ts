import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import { accountOf, type Principal } from "../../access/principal.ts";
import { requireAccount } from "../../access/requirements.ts";
import type { User } from "../../access/user.ts";
import type { AuditService } from "../../audit/service.ts";
import type { Database } from "../../db/database.ts";
import type { Attempt } from "../../identity/guesses.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { SessionService } from "../../identity/sessions/service.ts";
import type { Clock } from "../../kernel/clock.ts";
import { NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { TwoFactorService } from "../service.ts";
import * as store from "../store.ts";
import type { Passkey } from "../types.ts";
import { Challenges } from "./challenges.ts";
import {
  authenticationOptions,
  type RelyingParty,
  registrationOptions,
  userHandle,
  verifyAuthentication,
  verifyRegistration,
} from "./webauthn.ts";

export interface PasskeyNeeds {
  readonly db: Database;
  readonly clock: Clock;
  readonly identity: IdentityService;
  readonly sessions: SessionService;
  readonly audit: AuditService;
  readonly twoFactor: TwoFactorService;
  readonly siteName: string;
  readonly rootUrl: string;
}

const MAX_PASSKEYS = 25;
const MAX_NAME = 50;
const SIGN_IN = "sign-in";

/** Passkeys and security keys: a second factor or, with user verification by the authenticator, a complete sign-in. */
export class PasskeyService {
  private readonly challenges: Challenges;
  private readonly party: RelyingParty;
  /** Browsers accept passkeys only for host names, and only over https or on localhost. */
  readonly isAvailable: boolean;

  constructor(private readonly needs: PasskeyNeeds) {
    const { hostname, origin, protocol } = new URL(needs.rootUrl);
    this.party = { id: hostname, origin, name: needs.siteName };
    const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
    const isAddress = hostname.startsWith("[") || /^[\d.]+$/.test(hostname);
    this.isAvailable = !isAddress && (protocol === "https:" || isLocal);
    this.challenges = new Challenges(needs.clock);
  }

  /** The caller's passkeys, oldest first. */
  list(principal: Principal): Passkey[] {
    const { id } = accountOf(principal);
    requireAccount(principal, id, "read");
    return store.passkeysOf(this.needs.db, id);
  }

  /**
   * The options for creating a key, for the browser to pass to an authenticator.
   * @throws ValidationFailed no name, a name that is taken, too many
   */
  async beginRegistration(principal: Principal, name: string): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const user = this.own(principal);
    this.checkNew(user, name);
    const known = store.passkeysOf(this.needs.db, user.id);
    return registrationOptions(this.party, user, known, this.challenges.issue(registrationOf(principal)));
  }

  /** @throws ValidationFailed `passkey.refused`, `passkey.known-already`, or a problem with the name */
  async register(principal: Principal, name: string, given: unknown): Promise<void> {
    const { db, clock, audit, twoFactor } = this.needs;
    const user = this.own(principal);
    const { registrationAnswer } = await import("./answers.ts");
    const made = await verifyRegistration(this.party, registrationAnswer(given), (challenge) =>
      this.challenges.consume(registrationOf(principal), challenge),
    );
    db.transaction(() => {
      this.checkNew(user, name);
      if (store.findPasskey(db, made.credentialId)) throw new ValidationFailed("passkey.known-already");
      store.insertPasskey(db, { userId: user.id, name, ...made, createdAt: clock() });
      audit.append(principal, "passkey-added", user, { name });
      twoFactor.ensureRecoveryCodes(principal);
    });
  }

  /**
   * Removes one of the caller's passkeys; as this weakens the account, it requires the password and ends other
   * sessions.
   * @throws NotFound not one of the account's; ValidationFailed `account.password-wrong`; TooManyRequests, Overloaded
   */
  async remove(principal: Principal, id: number, password: string, attempt: Attempt): Promise<void> {
    const { db, audit, sessions, twoFactor } = this.needs;
    const user = accountOf(principal);
    requireAccount(principal, user.id);
    const isOwn = () => store.passkeysOf(db, user.id).find((key) => key.id === id);
    if (!isOwn()) throw new NotFound();
    await twoFactor.requirePassword(principal, password, attempt);
    db.transaction(() => {
      const found = isOwn();
      if (!found) throw new NotFound();
      store.deletePasskey(db, id);
      audit.append(principal, "passkey-removed", user, { name: found.name });
      twoFactor.forgetCodesWithoutFactor(user.id);
      sessions.closeAllOf(user.id, principal.sessionId);
    });
  }

  /** The options for the second step of that sign-in. */
  async beginSecondStep(user: User, step: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const known = store.passkeysOf(this.needs.db, user.id);
    if (!this.isAvailable || known.length === 0) throw new NotFound();
    return authenticationOptions(this.party, known, this.challenges.issue(secondStepOf(step)));
  }

  /**
   * @param step the sign-in that the challenge was created for
   * @throws ValidationFailed `passkey.refused`, `passkey.cloned`
   */
  async proveSecondStep(principal: Principal, user: User, step: string, given: unknown): Promise<void> {
    await this.prove(principal, given, { purpose: secondStepOf(step), userId: user.id });
  }

  /** The options for signing in with nothing but a passkey. */
  async beginSignIn(): Promise<PublicKeyCredentialRequestOptionsJSON> {
    if (!this.isAvailable) throw new NotFound();
    return authenticationOptions(this.party, [], this.challenges.issue(SIGN_IN));
  }

  /**
   * The owner of the passkey. The state of the account is not checked. @throws ValidationFailed `passkey.refused`,
   * `passkey.cloned`
   */
  async signIn(principal: Principal, given: unknown): Promise<User> {
    return this.prove(principal, given, { purpose: SIGN_IN, userId: undefined });
  }

  private async prove(
    principal: Principal,
    given: unknown,
    wanted: { readonly purpose: string; readonly userId: number | undefined },
  ): Promise<User> {
    const { db, clock, audit, identity } = this.needs;
    const { authenticationAnswer } = await import("./answers.ts");
    const answer = authenticationAnswer(given);
    const passkey = store.findPasskey(db, answer.id);
    const user = passkey && identity.byId(passkey.userId);
    const isOwners = wanted.userId === undefined || wanted.userId === user?.id;
    if (!passkey || !user || !isOwners) throw new ValidationFailed("passkey.refused");
    const handle = answer.response.userHandle;
    const isAlone = wanted.userId === undefined;
    const expectedHandle = Buffer.from(userHandle(user.id)).toString("base64url");
    if ((isAlone || handle !== undefined) && handle !== expectedHandle) throw new ValidationFailed("passkey.refused");
    const counter = await verifyAuthentication(this.party, passkey, answer, {
      isExpected: (challenge) => this.challenges.consume(wanted.purpose, challenge),
      requireUserVerification: isAlone,
    });
    const isGenuine = db.transaction(() => {
      if (store.usePasskey(db, passkey.id, counter, clock())) return true;
      store.markCloned(db, passkey.id);
      audit.append(principal, "passkey-cloned", user, { name: passkey.name });
      return false;
    });
    if (!isGenuine) throw new ValidationFailed("passkey.cloned");
    return user;
  }

  private own(principal: Principal): User {
    const user = accountOf(principal);
    requireAccount(principal, user.id);
    if (principal.sessionId === undefined) throw new NotFound();
    if (!this.isAvailable) throw new ValidationFailed("passkey.unavailable");
    return user;
  }

  private checkNew(user: User, name: string): void {
    if (name === "") throw new ValidationFailed("value.required", { field: "name", params: { name: "Name" } });
    if (name.length > MAX_NAME)
      throw new ValidationFailed("value.too-long", { field: "name", params: { name: "Name", max: MAX_NAME } });
    const known = store.passkeysOf(this.needs.db, user.id);
    if (known.length >= MAX_PASSKEYS) throw new ValidationFailed("passkey.too-many", { params: { max: MAX_PASSKEYS } });
    if (known.some((key) => key.name === name)) throw new ValidationFailed("passkey.name-taken", { field: "name" });
  }
}

const registrationOf = ({ sessionId }: Principal) => `register ${sessionId}`;
const secondStepOf = (step: string) => `second step ${step}`;
