import { operator } from "../../src/access/principal.ts";
import { flagOption, UsageError } from "../arguments.ts";
import { withServices } from "../data.ts";
import type { Command } from "../dispatch.ts";
import { givenPassword, passwordOptions } from "./passwords.ts";
import { namedAccount } from "./people.ts";

/** `hearth admin user change-password`: sets a password; the account's browser sessions end. */
export const changePasswordCommand: Command = {
  name: "admin user change-password",
  doc: "Set the password of an account",
  options: [
    { flags: "-u, --username <name>", doc: "Name of the account" },
    ...passwordOptions,
    { flags: "--must-change-password", doc: "Ask for another one at the next sign-in (default: true)" },
  ],
  run: async (options) => {
    const password = givenPassword(options);
    if (password === undefined || password === "") throw new UsageError("--password is required");
    await withServices(options, async (services) => {
      const user = namedAccount(services, options);
      const mustChangePassword = flagOption(options, "must-change-password") ?? true;
      await services.identity.edit(operator, user, { password, mustChangePassword });
      console.log(`${user.login}'s password has been successfully updated!`);
    });
  },
};
