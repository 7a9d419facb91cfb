import { operator } from "../../src/access/principal.ts";
import type { User } from "../../src/access/user.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import type { Services } from "../../src/services.ts";
import { flagOption, type Options, textOption, UsageError } from "../arguments.ts";
import { withServices } from "../data.ts";
import type { Command } from "../dispatch.ts";

/** `hearth admin user delete`: by one or several of number, name and address, which must mean the same account. */
export const deleteUserCommand: Command = {
  name: "admin user delete",
  doc: "Remove an account",
  options: [
    { flags: "--id <number>", doc: "Number of the account" },
    { flags: "-u, --username <name>", doc: "Name of the account" },
    { flags: "-e, --email <address>", doc: "An address of the account" },
    { flags: "--purge", doc: "Remove the repositories it owns too" },
  ],
  run: (options) =>
    withServices(options, (services) => {
      const user = accountOf(services, options);
      services.admin.deleteUser(operator, user, { purge: flagOption(options, "purge") ?? false });
      console.log(`User '${user.login}' has been deleted.`);
    }),
};

function accountOf({ identity }: Services, options: Options): User {
  const id = textOption(options, "id");
  const name = textOption(options, "username");
  const email = textOption(options, "email");
  if (id !== undefined && !/^\d{1,15}$/.test(id)) throw new UsageError("--id must be a number");
  const ways: [shown: string, found: User | undefined][] = [];
  if (id !== undefined) ways.push([`uid: ${id}`, identity.byId(Number(id))]);
  if (name !== undefined) ways.push([`name: ${name}`, identity.byLogin(name)]);
  if (email !== undefined) ways.push([`email: ${email}`, identity.byEmail(email)]);
  const [first] = ways;
  if (!first) throw new UsageError("provide the id, username or email of a user to delete");
  for (const [shown, found] of ways) if (!found) throw new NotFound("account.not-found-by", { params: { shown } });
  const [, user] = first;
  if (!user || ways.some(([, found]) => found?.id !== user.id))
    throw new UsageError(`${ways.map(([shown]) => shown).join(", ")}: these are different accounts`);
  return user;
}
