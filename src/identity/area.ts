import type { Area } from "../area.ts";
import { identityRoutes } from "./api.ts";
import { Authenticator } from "./authenticate.ts";
import { identityErrorWords } from "./error-words.ts";
import { Guesses } from "./guesses.ts";
import { Passwords } from "./passwords.ts";
import { IdentityService } from "./service.ts";
import { SessionService } from "./sessions/service.ts";
import { ownAccountSubject } from "./subject.ts";
import { GuessThrottle } from "./throttle.ts";
import { TokenService } from "./tokens/service.ts";

declare module "../services.ts" {
  interface Services {
    readonly identity: IdentityService;
    readonly tokens: TokenService;
    readonly sessions: SessionService;
    readonly throttle: GuessThrottle;
    readonly authenticator: Authenticator;
  }
}

/** Accounts, sessions and access tokens: who asks. */
export const identityArea: Area = {
  name: "identity",
  errorWords: identityErrorWords,
  routes: identityRoutes,
  open: ({ access, clock, config, db, outbox, subjects }) => {
    const sessions = new SessionService(db, clock, { days: config["session.days"] });
    const passwords = new Passwords(clock);
    const throttle = new GuessThrottle(clock);
    const identity = new IdentityService(
      db,
      access,
      outbox,
      clock,
      passwords,
      new Guesses(passwords, throttle),
      sessions,
      {
        minPasswordLength: config["password.min_length"],
        registration: config.registration,
      },
    );
    const tokens = new TokenService(db, clock);
    const authenticator = new Authenticator(identity, tokens, sessions);
    subjects.add("own-account", ownAccountSubject(identity));
    return {
      services: { identity, tokens, sessions, throttle, authenticator },
      sweep: () => sessions.sweep(),
      close: () => sessions.shutDown(),
    };
  },
};
