import type { DescribeOptions } from "./context.ts";
import type { TrailerOptions } from "./trailers.ts";

/** Reads the options after the colon of `%(trailers:…)` and `%(describe:…)`. */

/** Parses a boolean as `git config` does; undefined when it is not one. */
function booleanOf(value: string | undefined): boolean | undefined {
  if (value === undefined || /^(?:true|yes|on|1)$/i.test(value)) return true;
  return value === "" || /^(?:false|no|off|0)$/i.test(value) ? false : undefined;
}

function wordsOf(text: string): (readonly [name: string, value: string | undefined])[] {
  return text.split(",").map((word) => {
    const equals = word.indexOf("=");
    return equals < 0 ? [word, undefined] : [word.slice(0, equals), word.slice(equals + 1)];
  });
}

/** Expands `%n`, `%%` and `%x2C` in separators. */
function literals(text: string): string {
  return text.replace(/%(?:(n)|(%)|x([0-9a-fA-F]{2}))/g, (_, lf?: string, percent?: string, hex?: string) => {
    if (lf) return "\n";
    return percent ?? byteText(Number.parseInt(hex!, 16));
  });
}

/** A single byte as `decodeName` would return it. */
export function byteText(byte: number): string {
  return String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte);
}

/** @returns undefined when git would treat the whole placeholder as literal text */
export function readTrailerOptions(text: string): TrailerOptions | undefined {
  const keys: string[] = [];
  const flags = { only: undefined as boolean | undefined, unfold: false, keyOnly: false, valueOnly: false };
  let separator: string | undefined;
  let keyValueSeparator: string | undefined;
  for (const [name, value] of text === "" ? [] : wordsOf(text)) {
    if (name === "key") {
      if (!value) return undefined;
      keys.push(value.replace(/:$/, ""));
    } else if (name === "separator" && value !== undefined) separator = literals(value);
    else if (name === "key_value_separator" && value !== undefined) keyValueSeparator = literals(value);
    else {
      const flag = { only: "only", unfold: "unfold", keyonly: "keyOnly", valueonly: "valueOnly" }[name];
      const isOn = booleanOf(value);
      if (!flag || isOn === undefined) return undefined;
      flags[flag as keyof typeof flags] = isOn;
    }
  }
  return {
    ...flags,
    keys,
    only: flags.only ?? keys.length > 0,
    ...(separator === undefined ? {} : { separator }),
    ...(keyValueSeparator === undefined ? {} : { keyValueSeparator }),
  };
}

/** @returns undefined when git would treat the whole placeholder as literal text */
export function readDescribeOptions(text: string): DescribeOptions | undefined {
  const match: string[] = [];
  const exclude: string[] = [];
  let tags = false;
  let abbrev: number | undefined;
  for (const [name, value] of text === "" ? [] : wordsOf(text)) {
    if (name === "tags") {
      const isOn = booleanOf(value);
      if (isOn === undefined) return undefined;
      tags = isOn;
    } else if (name === "abbrev" && value !== undefined && /^\d{1,9}$/.test(value)) abbrev = Number(value);
    else if (name === "match" && value) match.push(value);
    else if (name === "exclude" && value) exclude.push(value);
    else return undefined;
  }
  return { tags, match, exclude, ...(abbrev === undefined ? {} : { abbrev }) };
}
