/** One line of CODEOWNERS (contract pulls.md 13). */
export interface OwnersRule {
  /** Of the whole path. */
  readonly pattern: RegExp;
  /** The rule is for files that do not match. */
  readonly isNegated: boolean;
  /** Accounts as `name`, teams as `organization/team`. */
  readonly owners: readonly string[];
}

export interface Owners {
  readonly rules: readonly OwnersRule[];
  /** Numbers of lines that could not be read, from 1. */
  readonly badLines: readonly number[];
}

/** Where the file is looked for on the default branch; the first one counts. */
export const OWNERS_FILES = ["CODEOWNERS", "docs/CODEOWNERS", ".gitea/CODEOWNERS"] as const;

export const MAX_OWNERS_BYTES = 256 * 1024;
const MAX_RULES = 1_000;
const MAX_OWNERS = 50;

/** Lines that make no sense are left out, and named. */
export function parseOwners(text: string): Owners {
  const rules: OwnersRule[] = [];
  const badLines: number[] = [];
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    const words = wordsOf(line);
    if (words.length === 0) continue;
    const rule = ruleOf(words);
    if (rule && rules.length < MAX_RULES) rules.push(rule);
    else badLines.push(at + 1);
  }
  return { rules, badLines };
}

/** Separated by blanks; `#` begins a comment, `\` takes away the meaning of both, and stays before anything else. */
function wordsOf(line: string): string[] {
  const words: string[] = [];
  let word = "";
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? "";
    const next = line[at + 1];
    if (character === "\\" && next !== undefined) {
      word += next === " " || next === "\t" || next === "#" ? next : character + next;
      at++;
    } else if (character === "#") break;
    else if (character === " " || character === "\t") {
      if (word !== "") words.push(word);
      word = "";
    } else word += character;
  }
  if (word !== "") words.push(word);
  return words;
}

function ruleOf([given = "", ...names]: readonly string[]): OwnersRule | undefined {
  const isNegated = given.startsWith("!");
  const source = (isNegated ? given.slice(1) : given).replace(/^\//, "");
  const owners = names.map((name) => name.replace(/^@/, "")).filter((name) => /^[^/\s]+(\/[^/\s]+)?$/.test(name));
  if (source === "" || owners.length === 0 || owners.length > MAX_OWNERS) return undefined;
  try {
    return { pattern: new RegExp(`^(?:${source})$`, "u"), isNegated, owners };
  } catch {
    return undefined;
  }
}
