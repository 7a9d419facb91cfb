/**
 * What a text must contain for an expression to match, as trigrams: three consecutive characters, case-insensitive.
 * `true`: nothing is known.
 */
export type Required = true | { readonly all: readonly Required[] } | { readonly any: readonly Required[] } | string;

/** Additional ones add little, and each costs an index lookup. */
const MAX_TRIGRAMS = 24;
const MAX_ALTERNATIVES = 16;
const MAX_DEPTH = 50;

/** A literal text that the file must contain. */
export function requiredByText(text: string): Required {
  return [...text].length < 3 ? true : text;
}

/**
 * The requirements of a JavaScript regular expression. Anything not understood requires nothing, so that no matching
 * file is missed; expressions are parsed the same way with and without the flag `u`.
 */
export function requiredByExpression(source: string): Required {
  return new Reader(source).alternatives(0);
}

/** The requirements as a query for SQLite's full-text index; undefined if there are none. */
export function matchQuery(required: Required): string | undefined {
  if (required === true) return undefined;
  if (typeof required === "string") return trigramsOf(required).map(quoted).join(" AND ");
  if ("all" in required) {
    const parts = required.all.flatMap((part) => matchQuery(part) ?? []);
    return parts.length === 0 ? undefined : parts.map((part) => `(${part})`).join(" AND ");
  }
  const parts = required.any.map(matchQuery);
  if (parts.length > MAX_ALTERNATIVES || parts.some((part) => part === undefined)) return undefined;
  return parts.map((part) => `(${part})`).join(" OR ");
}

function trigramsOf(text: string): string[] {
  const characters = [...text];
  const found = new Set<string>();
  // Spread over a long text, so that its end counts as much as its beginning.
  const step = Math.max(1, Math.floor((characters.length - 2) / MAX_TRIGRAMS));
  for (let at = 0; at + 3 <= characters.length; at += step) found.add(characters.slice(at, at + 3).join(""));
  return [...found];
}

function quoted(trigram: string): string {
  return `"${trigram.replaceAll('"', '""')}"`;
}

/** Parses an expression from left to right, once. */
class Reader {
  private at = 0;

  constructor(private readonly source: string) {}

  /** Up to the closing bracket of the group, or to the end. */
  alternatives(depth: number): Required {
    const all: Required[] = [this.sequence(depth)];
    while (this.source[this.at] === "|") {
      this.at++;
      all.push(this.sequence(depth));
    }
    return all.length === 1 ? all[0]! : all.includes(true) ? true : { any: all };
  }

  private sequence(depth: number): Required {
    const parts: Required[] = [];
    let run = "";
    const end = () => {
      const required = requiredByText(run);
      if (required !== true) parts.push(required);
      run = "";
    };
    while (this.at < this.source.length && this.source[this.at] !== "|" && this.source[this.at] !== ")") {
      const atom = this.atom(depth);
      const repeat = this.quantifier();
      if (typeof atom === "string" && repeat === "once") {
        run += atom;
        continue;
      }
      // A letter that occurs at least once ends a run; one that may be absent is in none.
      if (typeof atom === "string" && repeat === "more") run += atom;
      end();
      if (typeof atom === "object" && atom.inner !== true && repeat !== "maybe") parts.push(atom.inner);
    }
    end();
    return parts.length === 0 ? true : parts.length === 1 ? parts[0]! : { all: parts };
  }

  /** A literal character, a group with its requirements, or something that requires nothing. */
  private atom(depth: number): string | { readonly inner: Required } | undefined {
    const character = String.fromCodePoint(this.source.codePointAt(this.at) ?? 0);
    this.at += character.length;
    if (character === "(") return this.group(depth);
    if (character === "[") return this.skipClass();
    if (character === "\\") return this.escape();
    return ".^$*+?".includes(character) ? undefined : character;
  }

  private group(depth: number): { readonly inner: Required } | undefined {
    const opening = /^\?(?:[=!]|<[=!]|<[^>]*>|[a-z-]*:)/.exec(this.source.slice(this.at, this.at + 200))?.[0] ?? "";
    this.at += opening.length;
    const isLook = /^\?<?[=!]$/.test(opening);
    const inner = depth > MAX_DEPTH ? this.skipGroup() : this.alternatives(depth + 1);
    if (this.source[this.at] === ")") this.at++;
    return isLook ? undefined : { inner };
  }

  /** Nested deeper than anyone intends: skipped to its end. */
  private skipGroup(): true {
    let open = 0;
    while (this.at < this.source.length && (open > 0 || this.source[this.at] !== ")")) {
      const character = this.source[this.at++];
      if (character === "\\") this.at++;
      else if (character === "[") this.skipClass();
      else if (character === "(") open++;
      else if (character === ")") open--;
    }
    return true;
  }

  private skipClass(): undefined {
    while (this.at < this.source.length && this.source[this.at] !== "]")
      this.at += this.source[this.at] === "\\" ? 2 : 1;
    this.at++;
    return undefined;
  }

  private escape(): string | undefined {
    const character = String.fromCodePoint(this.source.codePointAt(this.at) ?? 0);
    this.at += character.length;
    // Letters and digits have special meanings, some followed by braces or digits.
    if (/[a-z0-9]/i.test(character)) {
      const rest = /^(?:\{[^}]{0,50}\}|<[^>]{0,100}>|[0-9a-f]{1,4})/i.exec(this.source.slice(this.at, this.at + 110));
      if (rest && /[pPukxc0-9]/.test(character)) this.at += rest[0].length;
      return undefined;
    }
    return character;
  }

  private quantifier(): "once" | "more" | "maybe" {
    const rest = this.source.slice(this.at, this.at + 30);
    const found = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})/.exec(rest);
    if (!found) return "once";
    this.at += found[0].length;
    if (this.source[this.at] === "?") this.at++;
    if (found[0] === "+") return "more";
    return Number(found[1] ?? 0) > 0 ? "more" : "maybe";
  }
}
