import type { Secret } from "../../src/secrets/secret.ts";
import { type SourceKind, sourceFields } from "../../src/sources/settings.ts";
import type { SourceEdit } from "../../src/sources/types.ts";
import { flagOption, type Options, textOption, UsageError } from "../arguments.ts";
import type { HelpKey, OptionDeclaration } from "../dispatch.ts";
import { say } from "../language.ts";
import { secretFrom } from "./passwords.ts";

/** The options of the commands for sign-in sources, generated from the table of their settings. */

/** The option that holds a source's secret. */
const SECRETS = { oauth2: "secret", ldap: "bind-password", "ldap-simple": undefined, smtp: undefined } as const;

export function sourceOptions(kind: SourceKind): OptionDeclaration[] {
  const settings = Object.values(sourceFields[kind]).map(({ option, standard }) => ({
    flags: typeof standard === "boolean" ? `--${option}` : `--${option} <value>`,
    doc: `help-source-${option}` as HelpKey,
  }));
  const secret = SECRETS[kind];
  return [
    { flags: "--name <name>", doc: "help-source-name" },
    ...settings,
    ...(secret === undefined
      ? []
      : [
          { flags: `--${secret} <value>`, doc: `help-source-${secret}` as const },
          { flags: `--${secret}-file <file>`, doc: "help-source-secret-file" as const },
        ]),
    { flags: "--skip-local-2fa", doc: "help-source-skip-local-2fa" },
    { flags: "--active", doc: "help-source-active" },
    { flags: "--not-active", doc: "help-source-not-active" },
    ...(kind === "ldap"
      ? [
          { flags: "--synchronize-users", doc: "help-source-synchronize-users" as const },
          { flags: "--disable-synchronize-users", doc: "help-source-disable-synchronize-users" as const },
        ]
      : []),
  ];
}

/** @throws UsageError */
export function sourceEdit(kind: SourceKind, options: Options): SourceEdit {
  const settings = Object.entries(sourceFields[kind]).map(([key, { option, standard }]) => {
    if (typeof standard === "boolean") return [key, flagOption(options, option)];
    const text = textOption(options, option);
    if (typeof standard !== "number" || text === undefined)
      return [key, key === "security" ? text?.toLowerCase() : key === "authType" ? text?.toUpperCase() : text];
    if (!/^\d{1,9}$/.test(text)) throw new UsageError(say("mustBeNumber", { name: option }));
    return [key, Number(text)];
  });
  const name = textOption(options, "name");
  return {
    ...(name === undefined ? {} : { name }),
    settings: Object.fromEntries(settings),
    isActive: either(options, "active", "not-active"),
    isSynchronized: either(options, "synchronize-users", "disable-synchronize-users"),
    skipsSecondFactor: flagOption(options, "skip-local-2fa"),
    secret: secretOf(kind, options),
  };
}

function secretOf(kind: SourceKind, options: Options): Secret | undefined {
  const option = SECRETS[kind];
  return option === undefined ? undefined : secretFrom(options, option);
}

/** The value of two opposite options. */
function either(options: Options, yes: string, no: string): boolean | undefined {
  const denied = flagOption(options, no);
  return denied === undefined ? flagOption(options, yes) : !denied;
}
