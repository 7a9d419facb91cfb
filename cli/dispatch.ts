import { cac } from "cac";
import { HEARTH_VERSION } from "../src/version.ts";
import { type Options, UsageError } from "./arguments.ts";

export interface OptionDeclaration {
  /** As help shows it: `--username <name>`, `-u, --username <name>`, `--admin`. */
  readonly flags: string;
  readonly doc: string;
}

export interface Command {
  /** One or several words: `admin user create`. */
  readonly name: string;
  /** Positional arguments as help shows them: `[name]`. */
  readonly positional?: string;
  readonly doc: string;
  readonly options: readonly OptionDeclaration[];
  run(options: Options, positional: readonly string[]): Promise<void> | void;
}

/** Options every command has. */
const common: readonly OptionDeclaration[] = [
  { flags: "--data <dir>", doc: "The data folder" },
  { flags: "--config <file>", doc: "The settings file (default: hearth.toml in the data folder)" },
  { flags: "--set <name=value>", doc: "Any setting, by its name; may be repeated" },
];

/**
 * Finds the command and runs it. cac matches single words only, so the leading words that name a command are folded
 * into one; and it turns every value that looks like a number into one, so values are read again from the words.
 * @throws UsageError
 */
export async function dispatch(words: readonly string[], commands: readonly Command[]): Promise<void> {
  const cli = cac("hearth");
  let chosen: { command: Command; positional: string[] } | undefined;
  for (const command of commands) {
    const entry = cli.command(command.positional ? `${command.name} ${command.positional}` : command.name, command.doc);
    for (const option of [...command.options, ...common]) entry.option(option.flags, option.doc);
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
  cli.help();
  cli.version(HEARTH_VERSION);
  const folded = fold(words, commands);
  if (folded.length === 0) {
    cli.outputHelp();
    return;
  }
  try {
    cli.parse(["hearth", "hearth", ...folded], { run: false });
    if (cli.matchedCommand) await cli.runMatchedCommand();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  if (!chosen) {
    if (!folded[0]?.startsWith("-"))
      throw new UsageError(
        `there is no command ${words.filter((word) => !word.startsWith("-")).join(" ")}; see hearth --help`,
      );
    return;
  }
  const { command, positional } = chosen;
  await command.run(optionsFrom(folded.slice(1), [...command.options, ...common]), positional);
}

function fold(words: readonly string[], commands: readonly Command[]): string[] {
  for (let length = words.length; length > 0; length--) {
    const name = words.slice(0, length).join(" ");
    if (commands.some((command) => command.name === name)) return [name, ...words.slice(length)];
  }
  return [...words];
}

function optionsFrom(words: readonly string[], declared: readonly OptionDeclaration[]): Options {
  const byFlag = new Map<string, { name: string; takesValue: boolean }>();
  for (const { flags } of declared) {
    const names = [...flags.matchAll(/--?([A-Za-z][A-Za-z-]*)/g)].map((match) => match[1] ?? "");
    const name = names.at(-1) ?? "";
    for (const alias of names)
      byFlag.set(alias.length === 1 ? `-${alias}` : `--${alias}`, { name, takesValue: /[<[]/.test(flags) });
  }
  const options: Record<string, string | true | string[]> = {};
  const put = (name: string, value: string | true) => {
    const before = options[name];
    options[name] =
      before === undefined || value === true
        ? value
        : Array.isArray(before)
          ? [...before, value]
          : [String(before), value];
  };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--") break;
    const equals = word.indexOf("=");
    const flag = byFlag.get(equals > 0 ? word.slice(0, equals) : word);
    if (!flag) continue;
    if (equals > 0) put(flag.name, word.slice(equals + 1));
    else if (!flag.takesValue) put(flag.name, true);
    else {
      const next = words[at + 1];
      if (next === undefined) throw new UsageError(`--${flag.name} needs a value`);
      put(flag.name, next);
      at++;
    }
  }
  return options;
}
