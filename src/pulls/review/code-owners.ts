/** One line of CODEOWNERS (contract pulls.md 13). */
export interface OwnersRule {
  /** From 1. */
  readonly line: number;
  /** Matches the whole path. */
  readonly pattern: RegExp;
  /** Whether the rule applies to files that do not match. */
  readonly isNegated: boolean;
  /** Accounts as `name`, teams as `organization/team`. */
  readonly owners: readonly string[];
}

/** An invalid line: a bad pattern, no owners, or more than the limits allow. */
export interface BadLine {
  readonly line: number;
  readonly why: "bad-pattern" | "no-owners" | "too-many";
}

export interface Owners {
  readonly rules: readonly OwnersRule[];
  readonly badLines: readonly BadLine[];
}

/** Paths searched for the file on the default branch; the first one found counts. */
export const OWNERS_FILES = ["CODEOWNERS", "docs/CODEOWNERS", ".gitea/CODEOWNERS"] as const;

export const MAX_OWNERS_BYTES = 256 * 1024;
const MAX_RULES = 1_000;
const MAX_OWNERS = 50;

/** Invalid lines are skipped and reported. */
export function parseOwners(text: string): Owners {
  const rules: OwnersRule[] = [];
  const badLines: BadLine[] = [];
  for (const [at, content] of text.split(/\r\n|\r|\n/).entries()) {
    const words = wordsOf(content);
    if (words.length === 0) continue;
    const line = at + 1;
    const rule = rules.length < MAX_RULES ? ruleOf(words) : "too-many";
    if (typeof rule === "string") badLines.push({ line, why: rule });
    else rules.push({ line, ...rule });
  }
  return { rules, badLines };
}

/** Splits at whitespace; `#` starts a comment, `\` escapes both, and is literal before anything else. */
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

function ruleOf([given = "", ...names]: readonly string[]): Omit<OwnersRule, "line"> | BadLine["why"] {
  const isNegated = given.startsWith("!");
  const source = (isNegated ? given.slice(1) : given).replace(/^\//, "");
  const owners = names.map((name) => name.replace(/^@/, "")).filter((name) => /^[^/\s]+(\/[^/\s]+)?$/.test(name));
  if (source === "") return "bad-pattern";
  if (owners.length === 0) return "no-owners";
  if (owners.length > MAX_OWNERS) return "too-many";
  try {
    return { pattern: new RegExp(`^(?:${source})$`, "u"), isNegated, owners };
  } catch {
    return "bad-pattern";
  }
}
