import { operator } from "../../src/access/principal.ts";
import { flagOption } from "../arguments.ts";
import { withServices } from "../data.ts";
import type { Command } from "../dispatch.ts";
import { aligned } from "../output.ts";

/** `hearth admin user list`. */
export const listUsersCommand: Command = {
  name: "admin user list",
  doc: "help-user-list",
  options: [{ flags: "--admin", doc: "help-user-list-admin" }],
  run: (options) =>
    withServices(options, ({ identity, twoFactor }) => {
      const everyone = { page: 1, limit: Number.MAX_SAFE_INTEGER, offset: 0 };
      const { items } = identity.list(
        operator,
        {
          kinds: ["individual", "bot"],
          text: "",
          ...(flagOption(options, "admin") ? { isAdmin: true } : {}),
        },
        { by: "id", descending: false },
        everyone,
      );
      const enrolled = twoFactor.enrolledAmong(
        operator,
        items.map(({ id }) => id),
      );
      const rows = items.map((user) => [
        String(user.id),
        user.login,
        user.email,
        String(user.isActive),
        String(user.isAdmin),
        String(enrolled.has(user.id)),
      ]);
      for (const line of aligned([["ID", "Username", "Email", "IsActive", "IsAdmin", "2FA"], ...rows]))
        console.log(line);
    }),
};
