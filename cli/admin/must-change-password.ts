import { operator } from "../../src/access/principal.ts";
import type { User } from "../../src/access/user.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import type { Services } from "../../src/services.ts";
import { flagOption, UsageError } from "../arguments.ts";
import { withServices } from "../data.ts";
import type { Command } from "../dispatch.ts";
import { say } from "../language.ts";
import { listOption } from "./people.ts";

/** `hearth admin user must-change-password`: for the named accounts, or for all except some. */
export const mustChangePasswordCommand: Command = {
  name: "admin user must-change-password",
  positional: "[...names]",
  doc: "help-user-must-change",
  options: [
    { flags: "-A, --all", doc: "help-user-all" },
    { flags: "-e, --exclude <names>", doc: "help-user-exclude" },
    { flags: "--unset", doc: "help-user-unset" },
  ],
  run: (options, names) => {
    const all = flagOption(options, "all") ?? false;
    if (!all && names.length === 0) throw new UsageError(say("noNames"));
    const wanted = !(flagOption(options, "unset") ?? false);
    const except = new Set((listOption(options, "exclude") ?? []).map((name) => name.toLowerCase()));
    return withServices(options, async (services) => {
      const users = (all ? everyone(services) : names.map((name) => required(services, name))).filter(
        (user) => user.kind === "individual" && !except.has(user.login.toLowerCase()),
      );
      for (const user of users) await services.identity.edit(operator, user, { mustChangePassword: wanted });
      console.log(say("mustChangeUpdated", { users: users.length, value: String(wanted) }));
    });
  },
};

function everyone({ identity }: Services): User[] {
  return identity.list(
    operator,
    { kinds: ["individual"], text: "" },
    { by: "id", descending: false },
    { page: 1, limit: Number.MAX_SAFE_INTEGER, offset: 0 },
  ).items;
}

function required({ identity }: Services, name: string): User {
  const user = identity.byLogin(name);
  if (!user) throw new NotFound("account.missing", { params: { name } });
  return user;
}
