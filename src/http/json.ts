/** Untrusted JSON: its shape is checked before it reaches the parser, which recurses and allocates for each value. */

/** More levels than any API request has. */
const MAX_DEPTH = 64;
/** Values and names; parsing this many takes ten milliseconds. */
const MAX_VALUES = 100_000;

/** What is wrong with a text, as an error code. */
export type JsonProblem =
  | "request.body-not-utf8"
  | "request.json-invalid"
  | "request.json-too-deep"
  | "request.json-too-many-values"
  | "request.json-not-unicode";

export type ParsedJson = { readonly value: unknown } | { readonly problem: JsonProblem };

/** For JSON made by `stringify`, which escapes only lone surrogates. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/i;

/** Parses a JSON text. Never throws. */
export function parseJson(bytes: Uint8Array): ParsedJson {
  const problem = shapeProblem(bytes);
  if (problem) return { problem };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return { problem: "request.body-not-utf8" };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: "request.json-invalid" };
  }
  // A lone surrogate is not a character: neither git nor the database can store it.
  if (/\\ud[89a-f]/i.test(text) && LONE_SURROGATE.test(JSON.stringify(value)))
    return { problem: "request.json-not-unicode" };
  return { value };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

function shapeProblem(bytes: Uint8Array): JsonProblem | undefined {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfText(bytes, at);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        values++;
        if (++depth > MAX_DEPTH) return "request.json-too-deep";
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth--;
        break;
      case COMMA:
        values++;
        break;
    }
    if (values > MAX_VALUES) return "request.json-too-many-values";
  }
  return undefined;
}

/** Returns the end of the string whose opening quote is at `from`; the length of the text if it is unterminated. */
function endOfText(bytes: Uint8Array, from: number): number {
  for (let end = bytes.indexOf(QUOTE, from + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let backslashes = 0;
    while (bytes[end - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return bytes.length;
}
