import { GitUsage } from "./command.ts";

/**
 * How a git option takes its value: "flag" takes none (`-r`), "value" takes one (`-n 5`, `-n5`, `--max-count=5`,
 * `--max-count 5`), "attached" takes one only in the same word (`-M`, `-M90%`, `--find-renames=90%`).
 */
export type OptionKind = "flag" | "value" | "attached";

/**
 * Every spelling of an option, with its kind and its canonical name: `{ "-n": ["value", "max-count"] }`. An attached
 * option may have another name for use without a value, where that differs from an empty one.
 */
export type OptionTable = Readonly<Record<string, readonly [kind: OptionKind, name: string, alone?: string]>>;

export interface Words {
  /** In the order typed; a flag's value is the empty string. */
  readonly options: readonly { readonly name: string; readonly value: string }[];
  /** Non-options before `--`. */
  readonly rest: readonly string[];
  /** What follows `--`; undefined without `--`. */
  readonly paths: readonly string[] | undefined;
  /** The last value of an option; undefined when it was not given. */
  value(name: string): string | undefined;
  has(name: string): boolean;
  all(name: string): readonly string[];
}

/**
 * Parses the arguments of a git command: cac, which parses Hearth's own commands, supports neither `-M90%` nor `-U3`,
 * nor several flags in one word (`-rz`). As in gitcli(7), long options may be abbreviated as long as they are
 * unambiguous, and after `--end-of-options` nothing is an option.
 * @throws GitUsage for an option that is not in the table, or lacks its value
 */
export function readWords(words: readonly string[], table: OptionTable): Words {
  const options: { name: string; value: string }[] = [];
  const rest: string[] = [];
  let paths: string[] | undefined;
  let noMore = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (word === "--") {
      paths = words.slice(at + 1);
      break;
    }
    // From here on a leading dash is part of a revision or path (gitcli(7)).
    if (word === "--end-of-options" && !noMore) {
      noMore = true;
      continue;
    }
    if (noMore || !word.startsWith("-") || word === "-") {
      rest.push(word);
      continue;
    }
    const next = () => {
      const value = words[++at];
      if (value === undefined)
        throw new GitUsage(
          word.startsWith("--")
            ? `option \`${word.slice(2)}' requires a value`
            : `switch \`${word[1]}' requires a value`,
        );
      return value;
    };
    if (word.startsWith("--")) options.push(longOption(word, table, next));
    else options.push(...shortOptions(word, table, next));
  }
  const all = (name: string) => options.filter((option) => option.name === name).map((option) => option.value);
  return { options, rest, paths, all, value: (name) => all(name).at(-1), has: (name) => all(name).length > 0 };
}

function longOption(word: string, table: OptionTable, next: () => string): { name: string; value: string } {
  const equals = word.indexOf("=");
  const typed = equals < 0 ? word : word.slice(0, equals);
  const [kind, name, alone = name] = table[typed] ?? theOneThatBegins(typed, table, word);
  if (equals >= 0) {
    if (kind === "flag") throw new GitUsage(`option \`${typed.slice(2)}' takes no value`);
    return { name, value: word.slice(equals + 1) };
  }
  return { name: alone, value: kind === "value" ? next() : "" };
}

/** @throws GitUsage when it is a prefix of no option, or of several */
function theOneThatBegins(typed: string, table: OptionTable, word: string): OptionTable[string] {
  const found = Object.entries(table).filter(([long]) => long.startsWith("--") && long.startsWith(typed));
  const [first, ...others] = found;
  if (!first || typed === "--") throw new GitUsage(`unknown option \`${word.slice(2)}'`);
  const another = others.find(([, option]) => option[1] !== first[1][1]);
  if (another) throw new GitUsage(`ambiguous option: ${typed.slice(2)} (could be ${first[0]} or ${another[0]})`);
  return first[1];
}

function shortOptions(word: string, table: OptionTable, next: () => string): { name: string; value: string }[] {
  const whole = table[word];
  if (whole) return [{ name: whole[1], value: whole[0] === "value" ? next() : "" }];
  const found: { name: string; value: string }[] = [];
  for (let at = 1; at < word.length; at++) {
    const known = table[`-${word[at]}`];
    if (!known) throw new GitUsage(`unknown switch \`${word[at]}'`);
    const [kind, name] = known;
    if (kind === "flag") {
      found.push({ name, value: "" });
      continue;
    }
    const attached = word.slice(at + 1);
    found.push({ name, value: attached === "" && kind === "value" ? next() : attached });
    break;
  }
  return found;
}
