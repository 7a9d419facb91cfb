/**
 * Called for each value with its full name, `section.subsection.key`: section and key in lower case, the subsection as
 * written. `value` is undefined for a key without `=`. Everything is one character per byte.
 */
export type ConfigVisitor = (name: string, value: string | undefined) => void;

/**
 * Parses a configuration file exactly as git's own parser does (git-config(1), "Syntax"), character by character:
 * attackers exploit differences between parsers, so this one reproduces git's quirks. Included files are not followed.
 * Stops where git stops, after reporting the values before that point.
 * @param text one character per byte
 * @returns undefined at the end, or the number of the line that could not be parsed
 */
export function eachConfigValue(text: string, visit: ConfigVisitor): number | undefined {
  const reader = new Reader(text, visit);
  return reader.read() ? undefined : reader.line;
}

class Reader {
  private at = 0;
  /** Set at the end, or at a byte 0xff: git takes that for the end, too, but continues reading after it. */
  private ended = false;
  private readonly source: string;
  /** Section and subsection with a trailing dot, as git joins them. */
  private prefix = "";

  constructor(
    text: string,
    private readonly visit: ConfigVisitor,
  ) {
    // git peeks one byte ahead for the line feed after a carriage return; it does not put back the byte 0xff.
    this.source = text.replace(/\r(\n|\xff)/g, (_, next: string) => (next === "\n" ? "\n" : "\r"));
  }

  /** The line of the last character read, starting at 1. */
  get line(): number {
    return this.source.slice(0, this.at - 1).split("\n").length;
  }

  read(): boolean {
    for (;;) {
      const c = this.next();
      if (c === "\n" && this.ended) return true;
      if (isBlank(c)) continue;
      if (c === "#" || c === ";") {
        if (this.skipLine()) return true;
      } else if (c === "[") {
        if (!this.readSection()) return false;
      } else if (!/[A-Za-z]/.test(c) || !this.readEntry(c)) return false;
    }
  }

  /** The next character; a line feed at the end. */
  private next(): string {
    const c = this.source[this.at++];
    if (c !== undefined && c !== "\xff") return c;
    this.ended = true;
    return "\n";
  }

  /** Skips to after the end of the line; returns whether that was the end of the file. */
  private skipLine(): boolean {
    while (this.next() !== "\n");
    return this.ended;
  }

  /** `name]` or `name "subsection"]`. */
  private readSection(): boolean {
    const start = this.at;
    let c = this.next();
    for (; isKeyCharacter(c) || c === "."; c = this.next()) if (this.ended) return false;
    if (this.ended) return false;
    this.prefix = this.source.slice(start, this.at - 1).toLowerCase();
    if (c === "]") {
      if (this.prefix === "") return false;
      this.prefix += ".";
      return true;
    }
    if (!isBlank(c)) return false;
    for (; isBlank(c); c = this.next()) if (c === "\n") return false;
    if (c !== '"') return false;
    const parts: string[] = [];
    for (c = this.next(); c !== '"'; c = this.next()) {
      if (c === "\n") return false;
      if (c === "\\") c = this.next();
      if (c === "\n") return false;
      parts.push(c);
    }
    this.prefix += `.${parts.join("")}.`;
    return this.next() === "]";
  }

  private readEntry(first: string): boolean {
    const start = this.at;
    let c = this.next();
    while (!this.ended && isKeyCharacter(c)) c = this.next();
    const key = (first + this.source.slice(start, this.at - 1)).toLowerCase();
    while (c === " " || c === "\t") c = this.next();
    let value: string | undefined;
    if (c !== "\n") {
      if (c !== "=") return false;
      value = this.readValue();
      if (value === undefined) return false;
    }
    this.visit(untilNul(this.prefix + key), value === undefined ? undefined : untilNul(value));
    return true;
  }

  /** Undefined if a quote is unclosed or an escape is unknown. */
  private readValue(): string | undefined {
    const parts: string[] = [];
    let blanks = 0;
    let quoted = false;
    for (;;) {
      let c = this.next();
      if (c === "\n") return quoted ? undefined : parts.join("");
      if (!quoted && isBlank(c)) {
        if (parts.length > 0) blanks++;
        continue;
      }
      if (!quoted && (c === ";" || c === "#")) {
        this.skipLine();
        return parts.join("");
      }
      if (blanks > 0) parts.push(" ".repeat(blanks));
      blanks = 0;
      if (c === "\\") {
        c = this.next();
        if (c === "\n") continue;
        const meaning = ESCAPES[c];
        if (meaning === undefined) return undefined;
        parts.push(meaning);
      } else if (c === '"') quoted = !quoted;
      else parts.push(c);
    }
  }
}

const ESCAPES: Readonly<Record<string, string>> = { t: "\t", b: "\b", n: "\n", "\\": "\\", '"': '"' };

function isBlank(c: string): boolean {
  return c === " " || c === "\t" || c === "\n" || c === "\r";
}

function isKeyCharacter(c: string): boolean {
  return /[A-Za-z0-9-]/.test(c);
}

function untilNul(text: string): string {
  const nul = text.indexOf("\0");
  return nul < 0 ? text : text.slice(0, nul);
}
