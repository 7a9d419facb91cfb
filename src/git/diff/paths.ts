/** Which paths are wanted: files, folders with all they hold, and patterns. Paths are latin1 strings, one character a byte. */
export class PathFilter {
  private readonly literals: readonly string[];
  private readonly patterns: readonly { readonly start: string; readonly whole: RegExp }[];

  /** @param wanted `dir/file`, `dir` or `dir/`, or with `*`, `?` and `[…]`, where `*` matches slashes, too */
  constructor(wanted: readonly string[]) {
    const cleaned = wanted.map((path) => path.replace(/^(\.\/+)+|^\.$|\/+$/g, ""));
    this.literals = cleaned;
    this.patterns = cleaned
      .filter((path) => /[*?[\\]/.test(path))
      .map((path) => ({ start: /^[^*?[\\]*/.exec(path)![0], whole: patternOf(path) }));
  }

  /** Whether the file is wanted. */
  matches(path: string): boolean {
    for (const literal of this.literals) {
      if (literal === "" || path === literal) return true;
      if (path.length > literal.length && path[literal.length] === "/" && path.startsWith(literal)) return true;
    }
    return this.patterns.some(({ whole }) => whole.test(path));
  }

  /** Whether anything inside the folder may be wanted. */
  mayMatchInside(folder: string): boolean {
    const start = `${folder}/`;
    for (const literal of this.literals) {
      if (literal === "" || literal.startsWith(start) || start.startsWith(`${literal}/`)) return true;
    }
    return this.patterns.some((pattern) => pattern.start.startsWith(start) || start.startsWith(pattern.start));
  }
}

/** Expression text for a pattern. A pattern that cannot be one matches nothing. */
function patternOf(pattern: string): RegExp {
  let text = "";
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i]!;
    if (character === "*") {
      while (pattern[i + 1] === "*") i++;
      text += ".*";
    } else if (character === "?") text += ".";
    else if (character === "\\" && i + 1 < pattern.length) text += escaped(pattern[++i]!);
    else if (character === "[") {
      const set = /^\[([!^]?)(\]?[^\]]*)\]/.exec(pattern.slice(i));
      if (!set) return /^(?!)/;
      text += `[${set[1] === "" ? "" : "^"}${set[2]!.replace(/[\\\]^]/g, "\\$&")}]`;
      i += set[0].length - 1;
    } else text += escaped(character);
  }
  try {
    return new RegExp(`^${text}$`, "s");
  } catch {
    return /^(?!)/;
  }
}

function escaped(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&");
}
