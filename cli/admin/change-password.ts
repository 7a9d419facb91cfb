import { operator } from "../../src/access/principal.ts";
import { flagOption, UsageError } from "../arguments.ts";
import { withServices } from "../data.ts";
import type { Command } from "../dispatch.ts";
import { say } from "../language.ts";
import { givenPassword, passwordOptions } from "./passwords.ts";
import { namedAccount } from "./people.ts";

/** `hearth admin user change-password`: sets a password and ends the account's browser sessions. */
export const changePasswordCommand: Command = {
  name: "admin user change-password",
  doc: "help-user-change-password",
  options: [
    { flags: "-u, --username <name>", doc: "help-account-name" },
    ...passwordOptions,
    { flags: "--must-change-password", doc: "help-must-change-next" },
  ],
  run: async (options) => {
    const password = givenPassword(options);
    if (password === undefined || password === "") throw new UsageError(say("required", { name: "password" }));
    await withServices(options, async (services) => {
      const user = namedAccount(services, options);
      const mustChangePassword = flagOption(options, "must-change-password") ?? true;
      await services.identity.edit(operator, user, { password, mustChangePassword });
      console.log(say("passwordUpdated", { name: user.login }));
    });
  },
};
