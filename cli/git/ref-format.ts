import { columnsOf } from "../../src/git/pretty/width.ts";
import { Fatal, GitUsage } from "./command.ts";
import type { Atoms, ListedRef } from "./ref-atoms.ts";
import type { Quoting } from "./ref-quotes.ts";

/** Writes a ref, or a part of it. */
type Part = (ref: ListedRef) => string;

/**
 * Reads a format of git-for-each-ref(1): `%(atom)`, `%%`, `%0a`, `%(align:…)…%(end)` and `%(if)…%(then)…%(else)…%(end)`.
 * @param quote what values at the outermost level become
 * @throws Fatal, GitUsage
 */
export function compileRefFormat(format: string, atoms: Atoms, quote: Quoting = (text) => text): Part {
  const tokens = format.split(/(%\([^)]*\)|%\([^)]*$|%%|%[0-9a-fA-F]{2})/).filter((token) => token !== "");
  const open = tokens.find((token) => token.startsWith("%(") && !token.endsWith(")"));
  if (open !== undefined) throw new GitUsage(`malformed format string ${open}`);
  return new Reader(tokens, atoms).parts([], quote);
}

class Reader {
  private at = 0;

  constructor(
    private readonly tokens: readonly string[],
    private readonly atoms: Atoms,
  ) {}

  /** Up to one of these words, which is left to be taken. */
  parts(ends: readonly string[], quote: Quoting = (text) => text): Part {
    const parts: Part[] = [];
    for (; this.at < this.tokens.length; this.at++) {
      const token = this.tokens[this.at]!;
      const atom = token.startsWith("%(") ? token.slice(2, -1) : undefined;
      if (atom === undefined) {
        const text = literal(token);
        parts.push(() => text);
      } else if (ends.includes(atom)) break;
      else if (atom === "end") throw new Fatal("format: %(end) atom used without corresponding atom");
      else if (atom === "then") throw new Fatal("format: %(then) atom used without a %(if) atom");
      else if (atom === "else")
        throw new Fatal(
          `format: %(else) atom used ${ends.includes("end") ? "more than once" : "without a %(if) atom"}`,
        );
      else {
        const part = this.part(atom);
        parts.push((ref) => quote(part(ref)));
      }
    }
    return (ref) => parts.map((part) => part(ref)).join("");
  }

  private part(atom: string): Part {
    if (atom === "align" || atom.startsWith("align:")) return this.align(atom);
    if (atom === "if" || atom.startsWith("if:")) return this.choice(atom);
    const value = this.atoms.atom(atom);
    return (ref) => value(ref).text;
  }

  private align(atom: string): Part {
    if (atom === "align") throw new Fatal("expected format: %(align:<width>,<position>)");
    const words = atom.slice("align:".length).split(",");
    let width: number | undefined;
    let position = "left";
    for (const word of words) {
      const value = word.replace(/^(?:width|position)=/, "");
      if (/^\d+$/.test(value)) width = Number(value);
      else if (["left", "right", "middle"].includes(value)) position = value;
      else throw new Fatal(`unrecognized %(align) argument: ${word}`);
    }
    if (width === undefined) throw new Fatal("positive width expected with the %(align) atom");
    const room = width;
    const inside = this.inside(["end"], "align");
    return (ref) => {
      const text = inside(ref);
      const blanks = room - columnsOf(text);
      if (blanks <= 0) return text;
      const left = position === "left" ? 0 : position === "right" ? blanks : Math.floor(blanks / 2);
      return " ".repeat(left) + text + " ".repeat(blanks - left);
    };
  }

  private choice(atom: string): Part {
    if (!this.tokens.slice(this.at).includes("%(end)")) throw new Fatal("format: %(end) atom missing");
    const match = /^if(?::(equals|notequals)=(.*))?$/s.exec(atom);
    if (!match) throw new Fatal(`unrecognized %(if) argument: ${atom.slice(3)}`);
    const condition = this.inside(["then"], "if");
    const then = this.inside(["else", "end"], "if");
    const hasElse = this.tokens[this.at] === "%(else)";
    const otherwise = hasElse ? this.inside(["end"], "if") : () => "";
    const [, comparison, value] = match;
    return (ref) => {
      const text = condition(ref);
      const holds = comparison === undefined ? text.trim() !== "" : (text === value) === (comparison === "equals");
      return holds ? then(ref) : otherwise(ref);
    };
  }

  /** What follows the word at which it stands, up to one of the ends, at which it stands then. */
  private inside(ends: readonly string[], opener: string): Part {
    this.at++;
    const part = this.parts(ends);
    if (this.at >= this.tokens.length) {
      const missing =
        opener === "if" && ends.includes("then") ? "%(if) atom used without a %(then) atom" : "%(end) atom missing";
      throw new Fatal(`format: ${missing}`);
    }
    return part;
  }
}

function literal(token: string): string {
  if (token === "%%") return "%";
  if (!/^%[0-9a-fA-F]{2}$/.test(token)) return token;
  const byte = Number.parseInt(token.slice(1), 16);
  return String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte);
}
