import { BadWorkflow } from "./failure.ts";

/**
 * Filter patterns (contract actions.md 2.5): `*` stops at a slash, `**` does not, `?` and `+` apply to the preceding
 * character, `[...]`, `{a,b}` and `\` work as usual. Matching follows all paths of an NFA at once, so the time is
 * bounded by the length of the pattern times that of the text.
 */
export interface Pattern {
  readonly isNegated: boolean;
  matches(text: string): boolean;
}

interface Part {
  /** Whether it consumes this character; undefined for states that consume nothing and only join paths. */
  readonly takes: ((character: string) => boolean) | undefined;
  /** The states it leads to. */
  readonly next: number[];
}

const MAX_CHARACTERS = 1_000;

/** @throws BadWorkflow */
export function patternOf(source: string): Pattern {
  const isNegated = source.startsWith("!");
  const machine = new Machine(isNegated ? source.slice(1) : source);
  return { isNegated, matches: (text) => machine.matches(text) };
}

class Machine {
  private readonly parts: Part[] = [];
  private readonly source: readonly string[];
  private readonly start: number;
  private readonly end: number;
  private at = 0;

  constructor(source: string) {
    if (source.length > MAX_CHARACTERS) throw new BadWorkflow("a pattern is too long");
    this.source = [...source];
    this.start = this.join();
    this.end = this.sequence(this.start, 0);
  }

  matches(text: string): boolean {
    let now = this.follow([this.start]);
    for (const character of text) {
      const next: number[] = [];
      for (const place of now) {
        const part = this.parts[place];
        if (part?.takes?.(character)) next.push(...part.next);
      }
      if (next.length === 0) return false;
      now = this.follow(next);
    }
    return now.has(this.end);
  }

  /** The given states and all that are reachable without consuming a character. */
  private follow(places: readonly number[]): Set<number> {
    const reached = new Set<number>();
    const waiting = [...places];
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      if (reached.has(place)) continue;
      reached.add(place);
      const part = this.parts[place];
      if (part && !part.takes) waiting.push(...part.next);
    }
    return reached;
  }

  private join(): number {
    return this.parts.push({ takes: undefined, next: [] }) - 1;
  }

  private link(from: number, to: number): void {
    this.parts[from]?.next.push(to);
  }

  /** Parses until the end, or until the end of an alternative. @returns the final state */
  private sequence(from: number, braces: number): number {
    let place = from;
    while (this.at < this.source.length) {
      const character = this.source[this.at];
      if (braces > 0 && (character === "," || character === "}")) break;
      place = this.repeated(place, (start) => this.element(start, braces));
    }
    return place;
  }

  /** Parses an element and any `?` or `+` after it. */
  private repeated(from: number, read: (start: number) => number): number {
    const start = this.join();
    this.link(from, start);
    const isStar = this.source[this.at] === "*";
    const end = this.join();
    this.link(read(start), end);
    for (let sign = this.source[this.at]; !isStar && (sign === "?" || sign === "+"); sign = this.source[this.at]) {
      this.at++;
      if (sign === "?") this.link(start, end);
      else this.link(end, start);
    }
    return end;
  }

  private element(from: number, braces: number): number {
    const character = this.source[this.at++] ?? "";
    if (character === "*") return this.stars(from);
    if (character === "[") return this.take(from, this.characterClass());
    if (character === "{") return this.alternatives(from, braces + 1);
    const literal = character === "\\" ? (this.source[this.at++] ?? "\\") : character;
    return this.take(from, (other) => other === literal);
  }

  private stars(from: number): number {
    const isFirst = this.at === 1 || this.source[this.at - 2] === "/";
    const isDouble = this.source[this.at] === "*";
    while (this.source[this.at] === "*") this.at++;
    const end = this.join();
    if (isDouble && isFirst && this.source[this.at] === "/") {
      this.at++;
      // Nothing, or anything up to a slash.
      this.link(from, end);
      const inside = this.anyNumber(from, () => true);
      this.link(
        this.take(inside, (other) => other === "/"),
        end,
      );
      return end;
    }
    this.link(
      this.anyNumber(from, (other) => isDouble || other !== "/"),
      end,
    );
    return end;
  }

  private anyNumber(from: number, takes: (character: string) => boolean): number {
    const loop = this.join();
    this.link(from, loop);
    this.link(this.take(loop, takes), loop);
    return loop;
  }

  private take(from: number, takes: (character: string) => boolean): number {
    const end = this.join();
    this.link(from, this.parts.push({ takes, next: [end] }) - 1);
    return end;
  }

  private characterClass(): (character: string) => boolean {
    const isNegated = this.source[this.at] === "!" || this.source[this.at] === "^";
    if (isNegated) this.at++;
    const single = new Set<string>();
    const ranges: (readonly [string, string])[] = [];
    for (let isFirst = true; isFirst || this.source[this.at] !== "]"; isFirst = false) {
      const first = this.classCharacter();
      if (this.source[this.at] !== "-" || this.source[this.at + 1] === "]") {
        single.add(first);
        continue;
      }
      this.at++;
      ranges.push([first, this.classCharacter()]);
    }
    this.at++;
    return (character) =>
      (single.has(character) || ranges.some(([low, high]) => character >= low && character <= high)) !== isNegated;
  }

  private classCharacter(): string {
    const character = this.source[this.at++];
    const found = character === "\\" ? this.source[this.at++] : character;
    if (found === undefined) throw new BadWorkflow("a pattern has a [ without a ]");
    return found;
  }

  private alternatives(from: number, braces: number): number {
    if (braces > 10) throw new BadWorkflow("a pattern is nested too deep");
    const end = this.join();
    for (;;) {
      const start = this.join();
      this.link(from, start);
      this.link(this.sequence(start, braces), end);
      const sign = this.source[this.at++];
      if (sign === "}") return end;
      if (sign !== ",") throw new BadWorkflow("a pattern has a { without a }");
    }
  }
}

/** The last pattern that matches decides: `!` excludes. */
export function isSelected(patterns: readonly Pattern[], text: string): boolean {
  let isIn = false;
  for (const pattern of patterns) if (isIn === pattern.isNegated && pattern.matches(text)) isIn = !isIn;
  return isIn;
}
