import { operator } from "../../src/access/principal.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import type { Services } from "../../src/services.ts";
import { textOption, UsageError } from "../arguments.ts";
import { withServices } from "../data.ts";
import type { Command } from "../dispatch.ts";
import { say } from "../language.ts";
import { aligned } from "../output.ts";

const everything = { page: 1, limit: Number.MAX_SAFE_INTEGER, offset: 0 };

/** `hearth admin repo list-deleted`. */
const listDeletedCommand: Command = {
  name: "admin repo list-deleted",
  doc: "help-repo-list-deleted",
  options: [],
  run: (options) =>
    withServices(options, ({ bin }) => {
      const rows = bin
        .list(operator, undefined, everything)
        .items.map(({ id, owner, name, deletedAt, goesAt }) => [
          String(id),
          `${owner.login}/${name}`,
          new Date(deletedAt).toISOString(),
          new Date(goesAt).toISOString(),
        ]);
      for (const line of aligned([["ID", "Repository", "Deleted", "Until"], ...rows])) console.log(line);
    }),
};

/** `hearth admin repo restore owner/name`: restores the most recently deleted one with that name. */
const restoreCommand: Command = {
  name: "admin repo restore",
  positional: "<repository>",
  doc: "help-repo-restore",
  options: [{ flags: "--name <name>", doc: "help-repo-new-name" }],
  run: (options, words) =>
    withServices(options, (services) => {
      const { owner, name } = namedRepo(services, words);
      const found = services.bin.find(operator, owner, name);
      if (!found) throw new NotFound();
      const repo = services.bin.restore(operator, found.id, textOption(options, "name") ?? "");
      console.log(say("repoRestored", { name: `${owner.login}/${repo.name}` }));
    }),
};

/** `hearth admin repo list-unadopted`. */
const listUnadoptedCommand: Command = {
  name: "admin repo list-unadopted",
  doc: "help-repo-list-unadopted",
  options: [],
  run: (options) =>
    withServices(options, async ({ adoption }) => {
      const { items } = await adoption.list(operator, "", everything);
      for (const { owner, name } of items) console.log(`${owner}/${name}`);
    }),
};

/** `hearth admin repo adopt owner/name`. */
const adoptCommand: Command = {
  name: "admin repo adopt",
  positional: "<repository>",
  doc: "help-repo-adopt",
  options: [],
  run: (options, words) =>
    withServices(options, async (services) => {
      const { owner, name } = namedRepo(services, words);
      const repo = await services.adoption.adopt(operator, owner.login, name);
      console.log(say("repoAdopted", { name: `${owner.login}/${repo.name}` }));
    }),
};

export const repoCommands: readonly Command[] = [
  listDeletedCommand,
  restoreCommand,
  listUnadoptedCommand,
  adoptCommand,
];

/** @throws UsageError when it is not `owner/name`; NotFound when there is no such account */
function namedRepo({ identity }: Services, [given = ""]: readonly string[]) {
  const [ownerName, name, more] = given.split("/");
  if (!ownerName || !name || more !== undefined) throw new UsageError(say("mustBeRepository", { given }));
  const owner = identity.byLogin(ownerName);
  if (!owner) throw new NotFound("account.missing", { params: { name: ownerName } });
  return { owner, name };
}
