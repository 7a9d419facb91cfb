import { operator } from "../../src/access/principal.ts";
import type { User } from "../../src/access/user.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import type { Services } from "../../src/services.ts";
import { flagOption, type Options, textOption, UsageError } from "../arguments.ts";
import { withServices } from "../data.ts";
import type { Command } from "../dispatch.ts";
import { say } from "../language.ts";

/** `hearth admin user delete`: by one or more of id, name and email address, which must name the same account. */
export const deleteUserCommand: Command = {
  name: "admin user delete",
  doc: "help-user-delete",
  options: [
    { flags: "--id <number>", doc: "help-account-id" },
    { flags: "-u, --username <name>", doc: "help-account-name" },
    { flags: "-e, --email <address>", doc: "help-account-email" },
    { flags: "--purge", doc: "help-user-purge" },
  ],
  run: (options) =>
    withServices(options, async (services) => {
      const user = accountOf(services, options);
      await services.admin.deleteUser(operator, user, { purge: flagOption(options, "purge") ?? false });
      console.log(say("userDeleted", { name: user.login }));
    }),
};

function accountOf({ identity }: Services, options: Options): User {
  const id = textOption(options, "id");
  const name = textOption(options, "username");
  const email = textOption(options, "email");
  if (id !== undefined && !/^\d{1,15}$/.test(id)) throw new UsageError(say("mustBeNumber", { name: "id" }));
  const ways: [shown: string, found: User | undefined][] = [];
  if (id !== undefined) ways.push([`uid: ${id}`, identity.byId(Number(id))]);
  if (name !== undefined) ways.push([`name: ${name}`, identity.byLogin(name)]);
  if (email !== undefined) ways.push([`email: ${email}`, identity.byEmail(email)]);
  const [first] = ways;
  if (!first) throw new UsageError(say("noAccountNamed"));
  for (const [shown, found] of ways) if (!found) throw new NotFound("account.not-found-by", { params: { shown } });
  const [, user] = first;
  if (!user || ways.some(([, found]) => found?.id !== user.id))
    throw new UsageError(say("differentAccounts", { accounts: ways.map(([shown]) => shown).join(", ") }));
  return user;
}
