import { cac } from "cac";
import { HEARTH_VERSION } from "../src/version.ts";
import { type Options, UsageError } from "./arguments.ts";
import { type CommandGroup, commandHelp, helpText, isGroup } from "./help.ts";
import { say } from "./language.ts";
import type { en } from "./words/en.ts";

/** A help text: a message key of the terminal's catalogue. */
export type HelpKey = keyof typeof en & `help-${string}`;

export interface OptionDeclaration {
  /** As shown in help: `--username <name>`, `-u, --username <name>`, `--admin`. */
  readonly flags: string;
  readonly doc: HelpKey;
}

export interface Command {
  /** One or more words: `admin user create`. */
  readonly name: string;
  /** Positional arguments as shown in help: `[name]`. */
  readonly positional?: string;
  readonly doc: HelpKey;
  readonly options: readonly OptionDeclaration[];
  run(options: Options, positional: readonly string[]): Promise<void> | void;
}

/** Options every command has. */
const common: readonly OptionDeclaration[] = [
  { flags: "--data <dir>", doc: "help-data" },
  { flags: "--config <file>", doc: "help-config-file" },
  { flags: "--set <name=value>", doc: "help-set" },
];

/**
 * Finds the command and runs it. Works around cac: it matches single words only, so the leading words that name a
 * command are joined into one; it turns every value that looks like a number into one, so values are parsed again from
 * the words; and it takes a value that begins with a dash for an option, so it only gets `--name=value`.
 * @throws UsageError
 */
export async function dispatch(
  words: readonly string[],
  commands: readonly Command[],
  groups: readonly CommandGroup[],
): Promise<void> {
  const group = helpAskedOn(words, commands);
  if (group !== undefined) {
    console.log(helpText(group, commands, groups, common));
    return;
  }
  const cli = cac("hearth");
  const [name = "", ...rest] = fold(words, commands);
  const named = commands.find((command) => command.name === name);
  if (named && words.some(isHelpFlag)) {
    console.log(commandHelp(named, common));
    return;
  }
  if (words.some(isHelpFlag)) throw unknownCommand(words, commands);
  let chosen: { command: Command; positional: string[] } | undefined;
  // Declaring a command in cac takes a quarter of a millisecond.
  for (const command of named ? [named] : commands) {
    const entry = cli.command(command.positional ? `${command.name} ${command.positional}` : command.name);
    for (const option of [...command.options, ...common]) entry.option(option.flags, "");
    entry.action((...args: unknown[]) => {
      chosen = {
        command,
        positional: args
          .slice(0, -1)
          .flat()
          .filter((arg): arg is string => typeof arg === "string"),
      };
    });
  }
  cli.version(HEARTH_VERSION);
  const tidy = named ? joined(rest, [...named.options, ...common]) : rest;
  try {
    cli.parse(["hearth", "hearth", name, ...tidy], { run: false });
    if (cli.matchedCommand) await cli.runMatchedCommand();
  } catch (error) {
    throw new UsageError(parserMessage(error));
  }
  if (chosen) {
    const { command, positional } = chosen;
    await command.run(optionsFrom(tidy, [...command.options, ...common]), positional);
  } else if (!cli.options["version"]) throw unknownCommand(words, commands);
}

/** cac's errors are English; this translates the one our declarations can cause, about an unknown option. */
function parserMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, option] = /^Unknown option `(.*)`$/s.exec(message) ?? [];
  return option === undefined ? message : say("unknownOption", { option });
}

/** The group to list for a help request, with an empty name for all of Hearth; undefined when a command is meant. */
function helpAskedOn(words: readonly string[], commands: readonly Command[]): string | undefined {
  if (words.length === 0) return "";
  if (!words.some(isHelpFlag)) return undefined;
  const typed = wordsBeforeOptions(words);
  return typed === "" || isGroup(typed, commands) ? typed : undefined;
}

function isHelpFlag(word: string): boolean {
  return word === "--help" || word === "-h";
}

/** `admin user` for `admin user --help`. */
function wordsBeforeOptions(words: readonly string[]): string {
  const option = words.findIndex((word) => word.startsWith("-"));
  return words.slice(0, option < 0 ? words.length : option).join(" ");
}

function unknownCommand(words: readonly string[], commands: readonly Command[]): UsageError {
  const typed = wordsBeforeOptions(words);
  const below = commands.filter((command) => command.name.startsWith(`${typed} `)).map((command) => command.name);
  return new UsageError(
    below.length > 0
      ? say("incompleteCommand", { typed, commands: below.join(", ") })
      : say("unknownCommand", { typed }),
  );
}

function fold(words: readonly string[], commands: readonly Command[]): string[] {
  for (let length = words.length; length > 0; length--) {
    const name = words.slice(0, length).join(" ");
    if (commands.some((command) => command.name === name)) return [name, ...words.slice(length)];
  }
  return [...words];
}

interface Flag {
  readonly name: string;
  readonly takesValue: boolean;
}

/** Declared options by each of their spellings: `--username`, `-u`. */
function flagsOf(declared: readonly OptionDeclaration[]): Map<string, Flag> {
  const byFlag = new Map<string, Flag>();
  for (const { flags } of declared) {
    const names = [...flags.matchAll(/(?:^|[\s,])--?([A-Za-z][A-Za-z0-9-]*)/g)].map((match) => match[1] ?? "");
    const name = names.at(-1) ?? "";
    for (const alias of names)
      byFlag.set(alias.length === 1 ? `-${alias}` : `--${alias}`, { name, takesValue: /[<[]/.test(flags) });
  }
  return byFlag;
}

/** The words with each option and its value joined: `-u ada` becomes `--username=ada`. */
function joined(words: readonly string[], declared: readonly OptionDeclaration[]): string[] {
  const byFlag = flagsOf(declared);
  const tidy: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--") return [...tidy, ...words.slice(at)];
    const equals = word.startsWith("-") ? word.indexOf("=") : -1;
    const flag = byFlag.get(equals > 0 ? word.slice(0, equals) : word);
    if (!flag) tidy.push(word);
    else if (equals > 0) tidy.push(`--${flag.name}${word.slice(equals)}`);
    else if (!flag.takesValue) tidy.push(`--${flag.name}`);
    else {
      const value = words[++at];
      if (value === undefined) throw new UsageError(say("needsValue", { name: flag.name }));
      tidy.push(`--${flag.name}=${value}`);
    }
  }
  return tidy;
}

/** The options in the result of `joined`, by name. */
function optionsFrom(words: readonly string[], declared: readonly OptionDeclaration[]): Options {
  const known = new Set([...flagsOf(declared).values()].map((flag) => flag.name));
  const options: Record<string, string | true | string[]> = {};
  for (const word of words) {
    if (word === "--") break;
    const [, name = "", value] = /^--([A-Za-z0-9-]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (!known.has(name)) continue;
    const before = options[name];
    if (before === undefined || value === undefined) options[name] = value ?? true;
    else options[name] = [before, value].flat().map(String);
  }
  return options;
}
