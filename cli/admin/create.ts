import { operator } from "../../src/access/principal.ts";
import { parseScopes, UnknownScope } from "../../src/access/scopes.ts";
import { flagOption, type Options, textOption, UsageError } from "../arguments.ts";
import { withServices } from "../data.ts";
import type { Command } from "../dispatch.ts";
import { say } from "../language.ts";
import { givenPassword, passwordOptions, randomPassword } from "./passwords.ts";
import { listOption, requiredOption } from "./people.ts";

/** `hearth admin user create` (contract identity.md 17.1). */
export const createUserCommand: Command = {
  name: "admin user create",
  doc: "help-user-create",
  options: [
    { flags: "-u, --username <name>", doc: "help-account-name" },
    { flags: "--name <name>", doc: "help-name" },
    { flags: "-e, --email <address>", doc: "help-email" },
    { flags: "--user-type <type>", doc: "help-type" },
    ...passwordOptions,
    { flags: "--random-password", doc: "help-random-password" },
    { flags: "--random-password-length <n>", doc: "help-random-password-length" },
    {
      flags: "--must-change-password",
      doc: "help-must-change-first",
    },
    { flags: "--admin", doc: "help-is-admin" },
    { flags: "--restricted", doc: "help-restricted" },
    { flags: "--fullname <name>", doc: "help-full-name" },
    { flags: "--access-token", doc: "help-with-token" },
    { flags: "--access-token-name <name>", doc: "help-token-name" },
    { flags: "--access-token-scopes <scopes>", doc: "help-token-scopes" },
  ],
  run: async (options) => {
    const login = nameOf(options);
    const email = requiredOption(options, "email");
    const kind = kindOf(options);
    const token = tokenOf(options);
    const password = passwordOf(options, kind);
    await withServices(options, async ({ accountCreation, identity, tokens }) => {
      const mustChange = flagOption(options, "must-change-password") ?? identity.hasAnyUser();
      const user = await accountCreation.create(operator, {
        login,
        email,
        kind,
        password: password?.text,
        mustChangePassword: kind === "individual" && mustChange,
        isAdmin: flagOption(options, "admin") ?? false,
        isRestricted: flagOption(options, "restricted") ?? false,
        fullName: textOption(options, "fullname") ?? "",
      });
      if (password?.isRandom) console.log(say("passwordGenerated", { password: password.text }));
      if (token)
        console.log(
          say("tokenCreatedWithUser", { token: tokens.create(operator, user, token.name, token.scopes).secret }),
        );
      console.log(say("userCreated", { name: login }));
    });
  },
};

function nameOf(options: Options): string {
  const [name, username] = [textOption(options, "name"), textOption(options, "username")];
  if (name !== undefined && username !== undefined) throw new UsageError(say("nameAndUsername"));
  const login = username ?? name;
  if (!login) throw new UsageError(say("required", { name: "username" }));
  return login;
}

function kindOf(options: Options): "individual" | "bot" {
  const kind = textOption(options, "user-type") ?? "individual";
  if (kind !== "individual" && kind !== "bot") throw new UsageError(say("unknownUserType", { type: kind }));
  return kind;
}

function passwordOf(options: Options, kind: "individual" | "bot"): { text: string; isRandom: boolean } | undefined {
  const wantsRandom = flagOption(options, "random-password") ?? false;
  const given = givenPassword(options);
  if (kind !== "individual") {
    if (wantsRandom || given !== undefined) throw new UsageError(say("passwordOfBot"));
    if (options["must-change-password"] !== undefined) throw new UsageError(say("mustChangeOfBot"));
    return undefined;
  }
  if (wantsRandom && given !== undefined) throw new UsageError(say("twoPasswords"));
  if (wantsRandom) return { text: randomPassword(lengthOf(options)), isRandom: true };
  if (given === undefined || given === "") throw new UsageError(say("noPassword"));
  return { text: given, isRandom: false };
}

function lengthOf(options: Options): number {
  const text = textOption(options, "random-password-length") ?? "12";
  const length = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (length < 1 || length > 255)
    throw new UsageError(say("mustBeNumberWithin", { name: "random-password-length", min: 1, max: 255 }));
  return length;
}

/** Validated before the account is created, so that a bad scope leaves no account without its token. */
function tokenOf(options: Options): { name: string; scopes: string[] } | undefined {
  const name = textOption(options, "access-token-name");
  const scopes = listOption(options, "access-token-scopes");
  if (!flagOption(options, "access-token")) {
    if (name !== undefined || scopes !== undefined) throw new UsageError(say("tokenOptionsWithoutToken"));
    return undefined;
  }
  if (name === "") throw new UsageError(say("tokenNameEmpty"));
  return { name: name ?? "gitea-admin", scopes: checkedScopes(scopes ?? ["all"]) };
}

/** @throws UsageError for an unknown scope, or none */
export function checkedScopes(scopes: string[]): string[] {
  try {
    if (Object.keys(parseScopes(scopes).categories).length === 0) throw new UsageError(say("tokenScopeMissing"));
  } catch (error) {
    throw error instanceof UnknownScope ? new UsageError(say("tokenScopeUnknown", { scope: error.scope })) : error;
  }
  return scopes;
}
