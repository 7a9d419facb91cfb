import { ExpressionError } from "./error.ts";

export type Token =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "name"; readonly value: string }
  | { readonly kind: "sign"; readonly value: string }
  | { readonly kind: "end"; readonly value: "" };

/** Maximum length of an expression. */
const MAX_CHARACTERS = 21_000;

const blanks = /\s+/y;
const number = /[+-]?(?:0x[\da-f]+|0o[0-7]+|(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(?![\w.])/iy;
const name = /[a-z_][\w-]*/iy;
const text = /'(?:[^']|'')*'/y;
const sign = /&&|\|\||[=!<>]=|[()[\].,*!<>]/y;

/** @throws ExpressionError */
export function tokensOf(source: string): Token[] {
  if (source.length > MAX_CHARACTERS) throw new ExpressionError("the expression is too long");
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(source) ?? [];
    if (found !== undefined) at += found.length;
    return found;
  };
  for (;;) {
    take(blanks);
    if (at >= source.length) break;
    const digits = take(number);
    if (digits !== undefined) {
      tokens.push({ kind: "number", value: numberOf(digits) });
      continue;
    }
    const word = take(name);
    if (word !== undefined) {
      tokens.push({ kind: "name", value: word });
      continue;
    }
    const quoted = take(text);
    if (quoted !== undefined) {
      tokens.push({ kind: "text", value: quoted.slice(1, -1).replaceAll("''", "'") });
      continue;
    }
    const mark = take(sign);
    if (mark === undefined) throw new ExpressionError(`"${source.slice(at, at + 20)}" was not expected`);
    tokens.push({ kind: "sign", value: mark });
  }
  tokens.push({ kind: "end", value: "" });
  return tokens;
}

/** The number a string is compared as; NaN if it is none. */
export function numberOf(written: string): number {
  const trimmed = written.trim();
  if (trimmed === "") return 0;
  const [, minus, digits = ""] =
    /^([+-]?)(0x[\da-f]+|0o[0-7]+|(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)$/i.exec(trimmed) ?? [];
  const value = digits === "" ? Number.NaN : Number(digits);
  return minus === "-" ? -value : value;
}
