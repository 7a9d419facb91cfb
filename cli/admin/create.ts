import { operator } from "../../src/access/principal.ts";
import { parseScopes, UnknownScope } from "../../src/access/scopes.ts";
import { flagOption, type Options, textOption, UsageError } from "../arguments.ts";
import { withServices } from "../data.ts";
import type { Command } from "../dispatch.ts";
import { givenPassword, passwordOptions, randomPassword } from "./passwords.ts";
import { listOption, requiredOption } from "./people.ts";

/** `hearth admin user create` (contract identity.md 17.1). */
export const createUserCommand: Command = {
  name: "admin user create",
  doc: "Make an account",
  options: [
    { flags: "-u, --username <name>", doc: "Name of the account" },
    { flags: "--name <name>", doc: "The same as --username" },
    { flags: "-e, --email <address>", doc: "Its e-mail address" },
    { flags: "--user-type <type>", doc: "individual (the default) or bot" },
    ...passwordOptions,
    { flags: "--random-password", doc: "Make a password and print it" },
    { flags: "--random-password-length <n>", doc: "Characters of that password (default: 12)" },
    {
      flags: "--must-change-password",
      doc: "Ask for a new password at the first sign-in (default: true; false for the first account)",
    },
    { flags: "--admin", doc: "Make it a site administrator" },
    { flags: "--restricted", doc: "Show it only what it is given access to" },
    { flags: "--fullname <name>", doc: "Name of the person" },
    { flags: "--access-token", doc: "Make an access token and print it" },
    { flags: "--access-token-name <name>", doc: "Name of that token (default: gitea-admin)" },
    { flags: "--access-token-scopes <scopes>", doc: "Scopes of that token, separated by commas (default: all)" },
  ],
  run: async (options) => {
    const login = nameOf(options);
    const email = requiredOption(options, "email");
    const kind = kindOf(options);
    const token = tokenOf(options);
    const password = passwordOf(options, kind);
    await withServices(options, async ({ identity, tokens }) => {
      const mustChange = flagOption(options, "must-change-password") ?? identity.hasAnyUser();
      const user = await identity.create(operator, {
        login,
        email,
        kind,
        password: password?.text,
        mustChangePassword: kind === "individual" && mustChange,
        isAdmin: flagOption(options, "admin") ?? false,
        isRestricted: flagOption(options, "restricted") ?? false,
        fullName: textOption(options, "fullname") ?? "",
      });
      if (password?.isRandom) console.log(`generated random password is '${password.text}'`);
      if (token)
        console.log(
          `Access token was successfully created... ${tokens.create(operator, user, token.name, token.scopes).secret}`,
        );
      console.log(`New user '${login}' has been successfully created!`);
    });
  },
};

function nameOf(options: Options): string {
  const [name, username] = [textOption(options, "name"), textOption(options, "username")];
  if (name !== undefined && username !== undefined) throw new UsageError("cannot set both --name and --username flags");
  const login = username ?? name;
  if (!login) throw new UsageError("--username is required");
  return login;
}

function kindOf(options: Options): "individual" | "bot" {
  const kind = textOption(options, "user-type") ?? "individual";
  if (kind !== "individual" && kind !== "bot") throw new UsageError(`invalid user type: ${kind}`);
  return kind;
}

function passwordOf(options: Options, kind: "individual" | "bot"): { text: string; isRandom: boolean } | undefined {
  const wantsRandom = flagOption(options, "random-password") ?? false;
  const given = givenPassword(options);
  if (kind !== "individual") {
    if (wantsRandom || given !== undefined) throw new UsageError("password can only be set for individual users");
    if (options["must-change-password"] !== undefined)
      throw new UsageError("must-change-password flag can only be set for individual users");
    return undefined;
  }
  if (wantsRandom && given !== undefined) throw new UsageError("cannot set both -random-password and -password flags");
  if (wantsRandom) return { text: randomPassword(lengthOf(options)), isRandom: true };
  if (given === undefined || given === "") throw new UsageError("must set either password or random-password flag");
  return { text: given, isRandom: false };
}

function lengthOf(options: Options): number {
  const text = textOption(options, "random-password-length") ?? "12";
  const length = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (length < 1 || length > 255) throw new UsageError("--random-password-length must be a number from 1 to 255");
  return length;
}

/** Checked before the account is made, so that a bad scope leaves no account without its token. */
function tokenOf(options: Options): { name: string; scopes: string[] } | undefined {
  const name = textOption(options, "access-token-name");
  const scopes = listOption(options, "access-token-scopes");
  if (!flagOption(options, "access-token")) {
    if (name !== undefined || scopes !== undefined)
      throw new UsageError(
        "access-token-name and access-token-scopes flags are only valid when access-token flag is set",
      );
    return undefined;
  }
  if (name === "") throw new UsageError("access-token-name cannot be empty");
  return { name: name ?? "gitea-admin", scopes: checkedScopes(scopes ?? ["all"]) };
}

/** @throws UsageError an unknown scope, or none */
export function checkedScopes(scopes: string[]): string[] {
  try {
    if (Object.keys(parseScopes(scopes).categories).length === 0)
      throw new UsageError("access token must have a scope");
  } catch (error) {
    throw error instanceof UnknownScope
      ? new UsageError(`invalid access token scope provided: ${error.message}`)
      : error;
  }
  return scopes;
}
