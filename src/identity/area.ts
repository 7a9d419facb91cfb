import type { Area } from "../area.ts";
import { AccountCreation } from "./account-creation.ts";
import { AccountPasswords } from "./account-passwords.ts";
import { Authenticator } from "./authenticate.ts";
import { EmailConfirmation } from "./confirmation/service.ts";
import { EmailTokens } from "./email-tokens/service.ts";
import { EmailService } from "./emails/service.ts";
import { identityErrorWords } from "./error-words.ts";
import { Guesses } from "./guesses.ts";
import { OrganizationAccounts } from "./organization-accounts.ts";
import { Passwords } from "./passwords.ts";
import { PasswordRecovery } from "./recovery/service.ts";
import { accountReferences } from "./references.ts";
import { mailSecurityChanges } from "./security-mails.ts";
import { IdentityService } from "./service.ts";
import { RememberedSignIns } from "./sessions/remembered.ts";
import { SessionService } from "./sessions/service.ts";
import { ownAccountSubject } from "./subject.ts";
import { GuessThrottle } from "./throttle.ts";
import { TokenService } from "./tokens/service.ts";

declare module "../services.ts" {
  interface Services {
    readonly identity: IdentityService;
    readonly accountCreation: AccountCreation;
    readonly accountPasswords: AccountPasswords;
    readonly organizationAccounts: OrganizationAccounts;
    readonly emails: EmailService;
    readonly confirmation: EmailConfirmation;
    readonly recovery: PasswordRecovery;
    readonly tokens: TokenService;
    readonly sessions: SessionService;
    readonly remembered: RememberedSignIns;
    readonly throttle: GuessThrottle;
    readonly authenticator: Authenticator;
  }
}

/** Accounts, sessions and access tokens. */
export const identityArea: Area = {
  name: "identity",
  errorWords: identityErrorWords,
  routes: async () => (await import("./api.ts")).identityRoutes,
  open: (
    { access, caches, clock, config, db, jobs, links, live, mail, mailWords, outbox, secret, subjects },
    { audit, references },
  ) => {
    const sessions = new SessionService(db, clock, outbox, audit, { days: config["session.days"] });
    const remembered = new RememberedSignIns(db, clock, sessions, audit);
    const passwords = new Passwords(caches);
    const throttle = new GuessThrottle();
    const minPasswordLength = config["password.min_length"];
    const identity = new IdentityService(
      db,
      access,
      outbox,
      clock,
      passwords,
      sessions,
      audit,
      minPasswordLength,
      caches,
    );
    const accountCreation = new AccountCreation(db, outbox, clock, passwords, audit, {
      minPasswordLength,
      registration: config.registration,
      confirmAddresses: config["mail.confirm_addresses"],
    });
    const guesses = new Guesses(passwords, throttle);
    const accountPasswords = new AccountPasswords(db, clock, passwords, guesses, sessions, audit, minPasswordLength);
    const emailTokens = new EmailTokens(db, clock, secret);
    const emails = new EmailService(db, audit, { confirmAddresses: config["mail.confirm_addresses"] });
    const parts = {
      db,
      clock,
      jobs,
      mail,
      identity,
      accountCreation,
      accountPasswords,
      emails,
      tokens: emailTokens,
      words: mailWords.account,
    };
    const confirmation = new EmailConfirmation(parts, {
      isRequired: config["mail.confirm_addresses"],
      rootUrl: links.rootUrl,
    });
    const recovery = new PasswordRecovery({ ...parts, audit, sessions, passwords }, links.rootUrl);
    mailSecurityChanges({ audit, mail, identity, words: mailWords.security, rootUrl: links.rootUrl });
    const tokens = new TokenService(db, clock, outbox, audit);
    const authenticator = new Authenticator(identity, accountPasswords, tokens, sessions, audit);
    live.refreshWith((principal) => authenticator.refreshed(principal));
    subjects.add("own-account", ownAccountSubject(identity));
    references.register("account", accountReferences(identity));
    return {
      services: {
        identity,
        accountCreation,
        accountPasswords,
        organizationAccounts: new OrganizationAccounts({ db, outbox, clock }),
        emails,
        confirmation,
        recovery,
        tokens,
        sessions,
        remembered,
        throttle,
        authenticator,
      },
      sweep: () => sessions.sweep(),
      close: () => sessions.shutDown(),
    };
  },
};
