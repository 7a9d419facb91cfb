/**
 * Globs of rules (contract git-content.md 9.3): `*` any run without a separator, `**` any run, `?` one character other
 * than a separator, `[abc]`, `[a-z]`, `[!a]`, `{a,b}`, `\` escapes. Unlike with `Bun.Glob`, the caller chooses the
 * separators, and `**` may occur anywhere. For a given pattern, time is linear in the text: all ways to match are
 * followed at once.
 */
export interface Glob {
  matches(text: string): boolean;
}

/** A longer pattern, or one that expands to more alternatives, is taken literally. */
const MAX_PATTERN = 1024;
const MAX_ALTERNATIVES = 128;

type Token =
  | { readonly kind: "literal"; readonly character: string }
  | { readonly kind: "one" }
  | { readonly kind: "class"; readonly isNegated: boolean; readonly ranges: readonly (readonly [string, string])[] }
  | { readonly kind: "run"; readonly crosses: boolean };

/** Whether a pattern is more than a plain name. */
export function isGlob(pattern: string): boolean {
  return /[*?\\[\]{}]/.test(pattern);
}

/**
 * Whether a pattern is valid: braces and classes are closed, every escape has a character, and it does not expand to
 * too many alternatives.
 */
export function isGlobSound(pattern: string): boolean {
  return tokensOfAll(pattern) !== undefined;
}

/** An invalid pattern is taken literally. @param separators characters that `*`, `?` and classes do not match */
export function compileGlob(pattern: string, separators: string): Glob {
  const compiled = tokensOfAll(pattern);
  if (!compiled) return { matches: (text) => text === pattern };
  return { matches: (text) => compiled.some((tokens) => matchTokens(tokens, text, separators)) };
}

/** The tokens of each alternative; undefined if the pattern is invalid. */
function tokensOfAll(pattern: string): Token[][] | undefined {
  const alternatives = pattern.length > MAX_PATTERN ? undefined : unfold(pattern);
  const compiled = alternatives?.map((text) => tokensOf(text));
  return compiled?.every((tokens) => tokens !== undefined) ? compiled : undefined;
}

/** Expands `a{b,c}d` to `abd` and `acd`; undefined for unclosed braces, or too many alternatives. */
function unfold(pattern: string): string[] | undefined {
  const open = findOutside(pattern, 0, "{");
  if (open < 0) return findOutside(pattern, 0, "}") < 0 ? [pattern] : undefined;
  const choices: string[] = [];
  let depth = 1;
  let from = open + 1;
  let at = from;
  for (; at < pattern.length && depth > 0; at++) {
    const character = pattern[at];
    if (character === "\\") at++;
    else if (character === "{") depth++;
    else if (character === "}") depth--;
    if ((character === "," && depth === 1) || depth === 0) {
      choices.push(pattern.slice(from, at));
      from = at + 1;
    }
  }
  if (depth > 0) return undefined;
  const all: string[] = [];
  for (const choice of choices) {
    const rest = unfold(pattern.slice(0, open) + choice + pattern.slice(at));
    if (!rest || all.length + rest.length > MAX_ALTERNATIVES) return undefined;
    all.push(...rest);
  }
  return all;
}

function findOutside(pattern: string, from: number, wanted: string): number {
  let inClass = false;
  for (let at = from; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === "\\") at++;
    else if (inClass) inClass = character !== "]";
    else if (character === "[") inClass = true;
    else if (character === wanted) return at;
  }
  return -1;
}

/** Undefined for an unclosed class, or an escape without a character. */
function tokensOf(pattern: string): Token[] | undefined {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]!;
    if (character === "*") {
      const crosses = pattern[at + 1] === "*";
      while (pattern[at + 1] === "*") at++;
      tokens.push({ kind: "run", crosses });
    } else if (character === "?") tokens.push({ kind: "one" });
    else if (character === "\\") {
      at++;
      if (at === pattern.length) return undefined;
      tokens.push({ kind: "literal", character: pattern[at]! });
    } else if (character === "[") {
      const close = pattern.indexOf("]", at + 2);
      if (close < 0) return undefined;
      const isNegated = pattern[at + 1] === "!" || pattern[at + 1] === "^";
      tokens.push({ kind: "class", isNegated, ranges: rangesOf(pattern.slice(at + (isNegated ? 2 : 1), close)) });
      at = close;
    } else tokens.push({ kind: "literal", character });
  }
  return tokens;
}

function rangesOf(text: string): [string, string][] {
  const ranges: [string, string][] = [];
  for (let at = 0; at < text.length; at++) {
    const isRange = text[at + 1] === "-" && at + 2 < text.length;
    ranges.push([text[at]!, text[isRange ? at + 2 : at]!]);
    if (isRange) at += 2;
  }
  return ranges;
}

/** Tracks every position in the pattern that the text so far can have reached. */
function matchTokens(tokens: readonly Token[], text: string, separators: string): boolean {
  let places = new Set<number>();
  const enter = (into: Set<number>, place: number) => {
    for (let at = place; !into.has(at); at++) {
      into.add(at);
      if (tokens[at]?.kind !== "run") return;
    }
  };
  enter(places, 0);
  for (const character of splitUnits(text)) {
    const isSeparator = separators.includes(character);
    const next = new Set<number>();
    for (const place of places) {
      const token = tokens[place];
      if (!token) continue;
      if (token.kind === "run") {
        if (token.crosses || !isSeparator) enter(next, place);
      } else if (takes(token, character, isSeparator)) enter(next, place + 1);
    }
    if (next.size === 0) return false;
    places = next;
  }
  return places.has(tokens.length);
}

function* splitUnits(text: string): Generator<string> {
  for (let at = 0; at < text.length; at++) yield text[at]!;
}

function takes(token: Exclude<Token, { kind: "run" }>, character: string, isSeparator: boolean): boolean {
  if (token.kind === "literal") return token.character === character;
  if (isSeparator) return false;
  if (token.kind === "one") return true;
  return token.ranges.some(([low, high]) => low <= character && character <= high) !== token.isNegated;
}
