import { operator } from "../../src/access/principal.ts";
import { withServices } from "../data.ts";
import type { Command } from "../dispatch.ts";
import { say } from "../language.ts";
import { namedAccount } from "./people.ts";

/** `hearth admin user reset-two-factor`: for users who lost the app, the passkeys and the recovery codes. */
export const resetTwoFactorCommand: Command = {
  name: "admin user reset-two-factor",
  doc: "help-user-reset-two-factor",
  options: [{ flags: "-u, --username <name>", doc: "help-account-name" }],
  run: (options) =>
    withServices(options, (services) => {
      const user = namedAccount(services, options);
      services.twoFactor.removeAll(operator, user);
      console.log(say("twoFactorReset", { name: user.login }));
    }),
};
