import { HEARTH_VERSION } from "../src/version.ts";
import type { Command, OptionDeclaration } from "./dispatch.ts";

/** Commands that begin with the same word, as one line of `hearth --help`. */
export interface CommandGroup {
  readonly name: string;
  readonly doc: string;
}

type Row = readonly [name: string, doc: string];

/**
 * Help on what stands below some words: `hearth --help` has one line for each command and each group, `hearth admin`
 * one for each command of the group.
 * @param below the words typed; empty for all of Hearth
 */
export function helpText(
  below: string,
  commands: readonly Command[],
  groups: readonly CommandGroup[],
  common: readonly OptionDeclaration[],
): string {
  const rows = below === "" ? topRows(commands, groups) : groupRows(below, commands);
  const placeholder = below === "" ? "<command>" : `${below} <command>`;
  return [
    `hearth/${HEARTH_VERSION}`,
    `Usage:\n  $ hearth ${placeholder} [options]`,
    `Commands:\n${table(rows)}`,
    `For the options of a command:\n  $ hearth ${placeholder} --help`,
    `Options of every command but git:\n${table(common.map(({ flags, doc }) => [flags, doc]))}`,
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
  return [...new Set(names)].map((name) => [name, docs.get(name) ?? ""]);
}

function groupRows(group: string, commands: readonly Command[]): Row[] {
  return commands
    .filter(({ name }) => name.startsWith(`${group} `))
    .map(({ name, positional, doc }) => [positional ? `${name} ${positional}` : name, doc]);
}

function table(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, doc]) => `  ${name.padEnd(width)}  ${doc}`).join("\n");
}
