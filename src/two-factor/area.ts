import { anonymous } from "../access/principal.ts";
import type { Area } from "../area.ts";
import { twoFactorErrorWords } from "./error-words.ts";
import { PasskeyService } from "./passkeys/service.ts";
import { SecondSteps } from "./second-steps.ts";
import { TwoFactorService } from "./service.ts";
import { hasSecondFactor } from "./store.ts";

declare module "../services.ts" {
  interface Services {
    readonly twoFactor: TwoFactorService;
    readonly passkeys: PasskeyService;
    readonly secondSteps: SecondSteps;
  }
}

/** What people show besides a password, or in place of one. */
export const twoFactorArea: Area = {
  name: "two-factor",
  errorWords: twoFactorErrorWords,
  open: (
    { clock, config, db, links, secrets },
    { accountPasswords, audit, authenticator, identity, sessions, throttle },
  ) => {
    const needs = { accountPasswords, db, clock, identity, sessions, audit, siteName: config.name };
    const twoFactor = new TwoFactorService({ ...needs, secrets, throttle });
    const passkeys = new PasskeyService({ ...needs, twoFactor, rootUrl: links.rootUrl });
    const secondSteps = new SecondSteps(clock, (userId) => accountPasswords.mark(userId));
    identity.addSecondFactor(hasSecondFactor);
    const required = config["two_factor.required"];
    if (required !== "none")
      identity.demandSecondFactor(
        ({ id, kind, isAdmin }) =>
          kind === "individual" && (required === "all" || isAdmin) && !twoFactor.isEnrolled(id),
      );
    authenticator.demandWithPassword((user, credentials) =>
      twoFactor.proveBasic(user, credentials, { ...anonymous, address: credentials.address }),
    );
    return { services: { twoFactor, passkeys, secondSteps } };
  },
};
