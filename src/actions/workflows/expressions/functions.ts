import type { Json } from "../../../kernel/json.ts";
import { ExpressionError } from "./error.ts";
import { compare, isList, textOf } from "./values.ts";

type Function = {
  readonly min: number;
  readonly max: number;
  /** @throws ExpressionError */
  run(...given: Json[]): Json;
};

const lower = (value: Json) => textOf(value).toLowerCase();
const MAX_JSON_DEPTH = 100;

/** Functions that do not depend on the run, by their names in lower case. */
export const functions: ReadonlyMap<string, Function> = new Map<string, Function>([
  [
    "contains",
    {
      min: 2,
      max: 2,
      run: (where, what) =>
        isList(where ?? null)
          ? (where as readonly Json[]).some((item) => compare(item, what ?? null) === 0)
          : lower(where ?? null).includes(lower(what ?? null)),
    },
  ],
  ["startswith", { min: 2, max: 2, run: (text, start) => lower(text ?? null).startsWith(lower(start ?? null)) }],
  ["endswith", { min: 2, max: 2, run: (text, end) => lower(text ?? null).endsWith(lower(end ?? null)) }],
  ["format", { min: 1, max: 255, run: (text, ...given) => format(textOf(text ?? null), given) }],
  [
    "join",
    {
      min: 1,
      max: 2,
      run: (list = null, between = ",") => (isList(list) ? list.map(textOf).join(textOf(between)) : textOf(list)),
    },
  ],
  ["tojson", { min: 1, max: 1, run: (value) => JSON.stringify(value ?? null, undefined, 2) }],
  ["fromjson", { min: 1, max: 1, run: (text) => parseJson(textOf(text ?? null)) }],
]);

/** `{0}` is the first value after the format string, `{{` a literal brace. */
function format(text: string, given: readonly Json[]): string {
  return text.replace(/\{\{|\}\}|\{(\d{1,3})\}|[{}]/g, (found, index: string | undefined) => {
    if (found === "{{" || found === "}}") return found.slice(1);
    const value = index === undefined ? undefined : given[Number(index)];
    if (value === undefined) throw new ExpressionError("format() has no value for one of its places");
    return textOf(value);
  });
}

function parseJson(text: string): Json {
  try {
    const value = JSON.parse(text) as Json;
    requireShallow(value, 0);
    return value;
  } catch (error) {
    if (error instanceof ExpressionError) throw error;
    throw new ExpressionError("fromJSON() was given no JSON");
  }
}

function requireShallow(value: Json, depth: number): void {
  if (depth > MAX_JSON_DEPTH) throw new ExpressionError("fromJSON() was given JSON that is nested too deep");
  if (typeof value === "object" && value !== null)
    for (const part of Object.values(value)) requireShallow(part, depth + 1);
}
