import { readFileSync } from "node:fs";
import { Secret } from "../../src/secrets/secret.ts";
import { type Options, textOption, UsageError } from "../arguments.ts";
import type { OptionDeclaration } from "../dispatch.ts";
import { say } from "../language.ts";

/** How to pass a password. A file or standard input keeps it out of the process list and the shell history. */
export const passwordOptions: readonly OptionDeclaration[] = [
  { flags: "-p, --password <password>", doc: "help-password" },
  { flags: "--password-file <file>", doc: "help-password-file" },
];

/** @throws UsageError for both options together, or a file that cannot be read */
export function givenPassword(options: Options): string | undefined {
  return givenSecret(options, "password");
}

/** The same for another secret. @throws UsageError for both options together, or a file that cannot be read */
export function secretFrom(options: Options, option: string): Secret | undefined {
  const text = givenSecret(options, option);
  return text === undefined ? undefined : new Secret(text);
}

function givenSecret(options: Options, option: string): string | undefined {
  const typed = textOption(options, option);
  const file = textOption(options, `${option}-file`);
  if (typed !== undefined && file !== undefined) throw new UsageError(say("twoPasswordSources"));
  if (file === undefined) return typed;
  let text: string;
  try {
    text = readFileSync(file === "-" ? 0 : file, "utf8");
  } catch {
    throw new UsageError(file === "-" ? say("passwordInputUnreadable") : say("passwordFileUnreadable", { file }));
  }
  return text.split(/\r?\n/, 1)[0] ?? "";
}

// No letters and digits that look alike: it is copied by hand.
const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";

export function randomPassword(length: number): string {
  const { randomInt } = process.getBuiltinModule("node:crypto");
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
}
