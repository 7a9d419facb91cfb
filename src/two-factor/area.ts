import { anonymous } from "../access/principal.ts";
import type { Area } from "../area.ts";
import { onDemand } from "../kernel/on-demand.ts";
import { twoFactorErrorWords } from "./error-words.ts";
import type { PasskeyService } from "./passkeys/service.ts";
import type { SecondSteps } from "./second-steps.ts";
import type { TwoFactorService } from "./service.ts";
import { hasSecondFactor } from "./store.ts";

declare module "../services.ts" {
  interface Services {
    readonly twoFactor: TwoFactorService;
    readonly passkeys: PasskeyService;
    readonly secondSteps: SecondSteps;
  }
}

/** What people use besides a password, or instead of one. */
export const twoFactorArea: Area = {
  name: "two-factor",
  errorWords: twoFactorErrorWords,
  open: (
    { clock, config, db, links, secrets },
    { accountPasswords, audit, authenticator, identity, sessions, throttle },
  ) => {
    const needs = { accountPasswords, db, clock, identity, sessions, audit, siteName: config.name };
    const twoFactor = onDemand(
      () =>
        new (require("./service.ts") as typeof import("./service.ts")).TwoFactorService({
          ...needs,
          secrets,
          throttle,
        }),
    );
    const passkeys = onDemand(
      () =>
        new (require("./passkeys/service.ts") as typeof import("./passkeys/service.ts")).PasskeyService({
          ...needs,
          twoFactor,
          rootUrl: links.rootUrl,
        }),
    );
    const secondSteps = onDemand(
      () =>
        new (require("./second-steps.ts") as typeof import("./second-steps.ts")).SecondSteps((userId) =>
          accountPasswords.mark(userId),
        ),
    );
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
