import type { User } from "../../src/access/user.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import type { Services } from "../../src/services.ts";
import { type Options, textOption, UsageError } from "../arguments.ts";
import { say } from "../language.ts";

/** The account an option names. @throws UsageError when it is absent; NotFound */
export function namedAccount({ identity }: Services, options: Options, option = "username"): User {
  const name = requiredOption(options, option);
  const user = identity.byLogin(name);
  if (!user || user.kind === "organization") throw new NotFound("account.missing", { params: { name } });
  return user;
}

/** @throws UsageError when it is absent or empty */
export function requiredOption(options: Options, name: string): string {
  const value = textOption(options, name);
  if (value === undefined || value === "") throw new UsageError(say("required", { name }));
  return value;
}

/** The names in a comma-separated list; undefined when the option is absent. */
export function listOption(options: Options, name: string): string[] | undefined {
  const value = options[name];
  if (value === undefined || value === true) return undefined;
  return [value]
    .flat()
    .flatMap((text) => text.split(","))
    .map((text) => text.trim())
    .filter((text) => text !== "");
}
