const CLASSES: Readonly<Record<string, string>> = {
  alnum: "A-Za-z0-9",
  alpha: "A-Za-z",
  blank: " \\t",
  cntrl: "\\x00-\\x1f\\x7f",
  digit: "0-9",
  graph: "\\x21-\\x7e",
  lower: "a-z",
  print: "\\x20-\\x7e",
  punct: "!-\\/:-@\\[-`{-~",
  space: " \\t\\n\\v\\f\\r",
  upper: "A-Z",
  xdigit: "0-9A-Fa-f",
};

/**
 * Translates a grep(1) pattern to a JavaScript regular expression.
 * @throws SyntaxError if it is invalid
 */
export function posixPattern(
  source: string,
  syntax: "basic" | "extended" | "fixed" | "perl",
  ignoreCase: boolean,
): RegExp {
  const flags = ignoreCase ? "i" : "";
  if (syntax === "perl") return new RegExp(source, flags);
  if (syntax === "fixed") return new RegExp(source.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), flags);
  return new RegExp(new Translator(source, syntax === "extended").translate(), flags);
}

/** Maximum characters of `{m,n}`; anything longer is not a count. */
const MAX_COUNT = 32;

/** Translates a POSIX expression to JavaScript's syntax. */
class Translator {
  private at = 0;
  private out = "";

  constructor(
    private readonly source: string,
    private readonly extended: boolean,
  ) {}

  translate(): string {
    while (this.at < this.source.length) this.one();
    return this.out;
  }

  private one(): void {
    const character = this.source[this.at++]!;
    if (character === "[") this.out += this.bracket();
    else if (character === "\\") this.escaped();
    else if (".".includes(character)) this.out += character;
    else if (character === "*") this.out += this.isStart() ? "\\*" : "*";
    else if (character === "^") this.out += this.extended || this.isStart() ? "^" : "\\^";
    else if (character === "$") this.out += this.extended || this.isEnd() ? "$" : "\\$";
    else if ("+?(){}|".includes(character)) this.out += this.extended ? this.special(character) : `\\${character}`;
    else this.out += character === "/" ? "\\/" : character;
  }

  /** A brace that does not begin a count is literal. */
  private special(character: string): string {
    if (character === "{") return /^\d*,?\d*\}/.test(this.source.slice(this.at, this.at + MAX_COUNT)) ? "{" : "\\{";
    if (character === "}") return /\{\d*,?\d*$/.test(this.out.slice(-MAX_COUNT)) ? "}" : "\\}";
    return character;
  }

  private escaped(): void {
    const character = this.source[this.at++];
    if (character === undefined) throw new SyntaxError("Trailing backslash");
    if ("+?(){}|".includes(character)) this.out += this.extended ? `\\${character}` : character;
    else if (/[wWsSbB1-9]/.test(character)) this.out += `\\${character}`;
    else if (character === "<") this.out += "\\b(?=\\w)";
    else if (character === ">") this.out += "\\b(?<=\\w)";
    else this.out += /[A-Za-z0-9]/.test(character) ? character : `\\${character}`;
  }

  private bracket(): string {
    let set = "[";
    if (this.source[this.at] === "^") {
      set += "^";
      this.at++;
    }
    for (let first = true; ; first = false) {
      const character = this.source[this.at++];
      if (character === undefined) throw new SyntaxError("Unmatched [, [^, [:, [., or [=");
      if (character === "]" && !first) return `${set}]`;
      const named = character === "[" ? /^:([a-z]+):\]/.exec(this.source.slice(this.at)) : null;
      if (named) {
        const members = CLASSES[named[1]!];
        if (members === undefined) throw new SyntaxError("Invalid character class name");
        set += members;
        this.at += named[0].length;
      } else set += "\\[]^".includes(character) ? `\\${character}` : character;
    }
  }

  private isStart(): boolean {
    return this.out === "" || /(^|[^\\])(\(|\||\^)$/.test(this.out);
  }

  private isEnd(): boolean {
    return this.at === this.source.length || /^\\[)|]/.test(this.source.slice(this.at));
  }
}
