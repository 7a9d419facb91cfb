import { HEARTH_VERSION } from "../src/version.ts";
import type { Command, HelpKey, OptionDeclaration } from "./dispatch.ts";
import { say } from "./language.ts";

/** Commands that begin with the same word, as one line of `hearth --help`. */
export interface CommandGroup {
  readonly name: string;
  readonly doc: HelpKey;
}

type Row = readonly [name: string, doc: string];

/**
 * Lists what is below some words: `hearth --help` has one line for each command and group, `hearth admin` one for each
 * command of the group.
 * @param below the words typed; empty for all of Hearth
 */
export function helpText(
  below: string,
  commands: readonly Command[],
  groups: readonly CommandGroup[],
  common: readonly OptionDeclaration[],
): string {
  const rows = below === "" ? topRows(commands, groups) : groupRows(below, commands);
  const command = `<${say("help-command")}>`;
  const typed = below === "" ? command : `${below} ${command}`;
  return [
    `hearth/${HEARTH_VERSION}`,
    `${say("help-usage")}\n  $ hearth ${typed} ${say("help-group-options")}`,
    `${say("help-commands")}\n${table(rows)}`,
    `${say("help-more")}\n  $ hearth ${typed} --help`,
    `${say("help-common")}\n${table(optionRows(common))}`,
  ].join("\n\n");
}

/** Help for one command: its usage, description and options. */
export function commandHelp(command: Command, common: readonly OptionDeclaration[]): string {
  const typed = command.positional ? `${command.name} ${command.positional}` : command.name;
  return [
    `hearth/${HEARTH_VERSION}`,
    `${say("help-usage")}\n  $ hearth ${typed} ${say("help-group-options")}`,
    say(command.doc),
    `${say("help-options")}\n${table(optionRows([...command.options, ...common, { flags: "-h, --help", doc: "help-help" }]))}`,
  ].join("\n\n");
}

/** Whether there are commands that begin with these words. */
export function isGroup(words: string, commands: readonly Command[]): boolean {
  return commands.some((command) => command.name.startsWith(`${words} `));
}

function topRows(commands: readonly Command[], groups: readonly CommandGroup[]): Row[] {
  const docs = new Map(groups.map(({ name, doc }) => [name, doc]));
  for (const { name, doc } of commands) if (!name.includes(" ")) docs.set(name, doc);
  const names = [...commands.map(({ name }) => name.split(" ")[0] ?? ""), ...docs.keys()];
  return [...new Set(names)].map((name) => {
    const doc = docs.get(name);
    return [name, doc === undefined ? "" : say(doc)];
  });
}

function groupRows(group: string, commands: readonly Command[]): Row[] {
  return commands
    .filter(({ name }) => name.startsWith(`${group} `))
    .map(({ name, positional, doc }) => [positional ? `${name} ${positional}` : name, say(doc)]);
}

function optionRows(options: readonly OptionDeclaration[]): Row[] {
  return options.map(({ flags, doc }) => [flags, say(doc)]);
}

function table(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, doc]) => `  ${name.padEnd(width)}  ${doc}`).join("\n");
}
