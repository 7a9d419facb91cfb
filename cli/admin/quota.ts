import { operator } from "../../src/access/principal.ts";
import type { User } from "../../src/access/user.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { usedBy } from "../../src/quotas/service.ts";
import { subjects, usedOf } from "../../src/quotas/subjects.ts";
import type { Services } from "../../src/services.ts";
import type { Options } from "../arguments.ts";
import { withServices } from "../data.ts";
import type { Command } from "../dispatch.ts";
import { say } from "../language.ts";
import { aligned } from "../output.ts";
import { listOption, requiredOption } from "./people.ts";

const username = { flags: "--username <name>", doc: "help-quota-username" } as const;

/** `hearth admin quota show`: an account's usage and the limits of its groups, in bytes. */
const showCommand: Command = {
  name: "admin quota show",
  doc: "help-quota-show",
  options: [username],
  run: (options) =>
    withServices(options, (services) => {
      const { groups, usage } = services.quotas.ofAccount(operator, accountOf(services, options));
      const used = subjects.map((subject) => [subject, String(usedOf(usage, subject))]);
      const rules = groups.flatMap(({ name, rules }) =>
        rules.map((rule) => [
          name,
          rule.name,
          String(usedBy(rule, usage)),
          String(rule.limitBytes),
          rule.subjects.join(","),
        ]),
      );
      for (const line of aligned([["Subject", "Used"], ...used])) console.log(line);
      if (rules.length === 0) return;
      console.log("");
      for (const line of aligned([["Group", "Rule", "Used", "Limit", "Subjects"], ...rules])) console.log(line);
    }),
};

/** `hearth admin quota set-groups`: puts the account into exactly these groups. */
const setGroupsCommand: Command = {
  name: "admin quota set-groups",
  doc: "help-quota-set-groups",
  options: [username, { flags: "--groups <names>", doc: "help-quota-groups" }],
  run: (options) =>
    withServices(options, (services) => {
      const account = accountOf(services, options);
      services.quotaAdministration.setGroups(operator, account, listOption(options, "groups") ?? []);
      console.log(say("quotaGroupsSet", { name: account.login }));
    }),
};

export const quotaCommands: readonly Command[] = [showCommand, setGroupsCommand];

/** Organizations have quotas, too. @throws UsageError, NotFound */
function accountOf({ identity }: Services, options: Options): User {
  const name = requiredOption(options, "username");
  const user = identity.byLogin(name);
  if (!user) throw new NotFound("account.missing", { params: { name } });
  return user;
}
