/** What the `linguist-` attributes of a `.gitattributes` say of a file; undefined where they say nothing. */
export interface FileAttributes {
  vendored?: boolean;
  generated?: boolean;
  documentation?: boolean;
  detectable?: boolean;
  language?: string;
}

interface Rule {
  readonly pattern: string;
  /** Whether the pattern is matched against the file's name alone. */
  readonly nameOnly: boolean;
  readonly set: FileAttributes;
}

const FLAGS = ["vendored", "generated", "documentation", "detectable"] as const;
const MAX_RULES = 500;

/** The `linguist-` rules of one `.gitattributes` file at the root, after gitattributes(5); later lines win. */
export class Attributes {
  private readonly rules: Rule[] = [];

  constructor(text: string) {
    for (const line of text.split("\n")) {
      const words = line.trim().split(/\s+/);
      const pattern = words[0] ?? "";
      if (pattern === "" || pattern.startsWith("#") || !line.includes("linguist-")) continue;
      const set = readFlags(words.slice(1));
      const rooted = pattern.replace(/^\//, "");
      this.rules.push({ pattern: rooted, nameOnly: !pattern.includes("/"), set });
      if (this.rules.length >= MAX_RULES) break;
    }
  }

  of(path: string): FileAttributes {
    const result: FileAttributes = {};
    if (this.rules.length === 0) return result;
    const name = path.slice(path.lastIndexOf("/") + 1);
    for (const rule of this.rules)
      if (matches(rule.pattern, rule.nameOnly ? name : path)) Object.assign(result, rule.set);
    return result;
  }
}

function readFlags(words: readonly string[]): FileAttributes {
  const set: FileAttributes = {};
  for (const word of words) {
    const [, off, key, value] = /^(-?)linguist-([a-z]+)(?:=(.*))?$/.exec(word) ?? [];
    if (key === "language" && value) set.language = value;
    for (const flag of FLAGS) if (key === flag) set[flag] = off !== "-" && value !== "false";
  }
  return set;
}

/**
 * Whether a glob matches the whole text: `*` and `?` stay within a folder, `**` crosses folders. Two places to go back
 * to are enough (the last `*` and the last `**`), so no pattern takes more than quadratic time.
 */
export function matches(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let starText = 0;
  let deep = -1;
  let deepText = 0;
  while (t < text.length || p < pattern.length) {
    const sign = pattern[p];
    if (sign === "*" && pattern[p + 1] === "*") {
      // `**/` also stands for no folder at all.
      p += pattern[p + 2] === "/" ? 3 : 2;
      deep = p;
      deepText = t;
      star = -1;
      continue;
    }
    if (sign === "*") {
      star = ++p;
      starText = t;
      continue;
    }
    if (t < text.length && (sign === text[t] || (sign === "?" && text[t] !== "/"))) {
      p++;
      t++;
      continue;
    }
    if (star >= 0 && starText < text.length && text[starText] !== "/") {
      p = star;
      t = ++starText;
      continue;
    }
    if (deep >= 0 && deepText < text.length) {
      p = deep;
      t = ++deepText;
      star = -1;
      continue;
    }
    return false;
  }
  return true;
}
