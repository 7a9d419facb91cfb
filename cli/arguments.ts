import { type LoadedConfig, loadConfig } from "../src/config/load.ts";
import { say } from "./language.ts";

/** Invalid use of the command line; the message, from the terminal's catalogue, says why. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** Options as typed: always text, a list when given more than once, true when given without a value. */
export type Options = Readonly<Record<string, string | true | readonly string[]>>;

/** @throws UsageError when given twice, or without a value */
export function textOption(options: Options, name: string): string | undefined {
  const value = options[name];
  if (value === undefined) return undefined;
  if (typeof value !== "string")
    throw new UsageError(value === true ? say("needsValue", { name }) : say("givenTwice", { name }));
  return value;
}

/** `--flag`, `--flag=false`. @throws UsageError for any other value */
export function flagOption(options: Options, name: string): boolean | undefined {
  const value = options[name];
  if (value === undefined) return undefined;
  if (value === true || value === "true" || value === "1") return true;
  if (value === "false" || value === "0") return false;
  throw new UsageError(say("mustBeFlag", { name }));
}

/** The configuration from the command line: `--data`, `--listen`, `--config FILE` and `--set NAME=VALUE`. */
export function configOf(options: Options): LoadedConfig {
  const flags: Record<string, string> = {};
  for (const name of ["data", "listen"]) {
    const value = textOption(options, name);
    if (value !== undefined) flags[name] = value;
  }
  const set = options["set"];
  for (const pair of set === undefined || set === true ? [] : typeof set === "string" ? [set] : set) {
    const equals = pair.indexOf("=");
    if (equals < 1) throw new UsageError(say("mustBeSetting", { pair }));
    flags[pair.slice(0, equals)] = pair.slice(equals + 1);
  }
  return loadConfig({ flags, environment: process.env, file: textOption(options, "config") });
}
