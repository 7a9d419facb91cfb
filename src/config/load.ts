import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Config, environmentName, type SettingName, settingNames, settings } from "./schema.ts";
import type { Setting } from "./setting.ts";

/** An unusable setting; the message begins with its name. */
export class BadSetting extends Error {
  override name = "BadSetting";
}

export type Origin = "default" | "file" | "environment" | "flag";

export interface LoadedConfig {
  readonly config: Config;
  readonly origins: Readonly<Record<SettingName, Origin>>;
  /** The file that was read, if any. */
  readonly file: string | undefined;
}

export interface Sources {
  /** Command line flags, keyed by setting name: `{ data: "x", listen: "…" }`. */
  readonly flags: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A file named explicitly must exist; otherwise `hearth.toml` in the data folder is read if present. */
  readonly file: string | undefined;
}

/**
 * The effective settings: flags override the environment, which overrides the file, which overrides defaults.
 * @throws BadSetting naming the first unknown key or bad value and its origin
 */
export function loadConfig(sources: Sources): LoadedConfig {
  const values: Partial<Record<SettingName, Setting["standard"]>> = {};
  const origins: Partial<Record<SettingName, Origin>> = {};
  for (const name of settingNames) {
    values[name] = settings[name].standard;
    origins[name] = "default";
  }
  const put = (name: SettingName, value: Setting["standard"], origin: Origin) => {
    values[name] = value;
    origins[name] = origin;
  };

  const dataFolder = sources.flags["data"] ?? sources.environment["HEARTH_DATA"] ?? settings.data.standard;
  const file = sources.file ?? sources.environment["HEARTH_CONFIG"] ?? join(dataFolder, "hearth.toml");
  const named = sources.file !== undefined || sources.environment["HEARTH_CONFIG"] !== undefined;
  const found = existsSync(file);
  if (named && !found) throw new BadSetting(`config: there is no file ${file}`);
  if (found) for (const [name, value] of readToml(file)) put(name, value, "file");

  const token = givenRegistrationToken(sources.environment);
  if (token) put("actions.registration_token", fromText("actions.registration_token", ...token), "environment");
  for (const [variable, text] of Object.entries(sources.environment)) {
    if (!variable.startsWith("HEARTH_") || text === undefined || notSettings.has(variable)) continue;
    const name = settingNames.find((each) => environmentName(each) === variable);
    if (!name)
      throw new BadSetting(
        `${variable}: there is no such setting${nearest(variable, settingNames.map(environmentName))}`,
      );
    put(name, fromText(name, text, variable), "environment");
  }
  for (const [key, text] of Object.entries(sources.flags)) {
    const name = settingNames.find((known) => known === key);
    if (!name) throw new BadSetting(`--${key}: there is no such setting${nearest(key, settingNames)}`);
    put(name, fromText(name, text, `--${key}`), "flag");
  }
  values.data = resolve(String(values.data));
  return { config: values as Config, origins: origins as Record<SettingName, Origin>, file: found ? file : undefined };
}

/**
 * Reads the token from the variable that existing runner set-ups use (contract actions.md 1.4).
 * @returns the token, and the variable it came from
 */
function givenRegistrationToken(environment: Sources["environment"]): [text: string, where: string] | undefined {
  const name = "GITEA_RUNNER_REGISTRATION_TOKEN";
  const [text, file] = [environment[name], environment[`${name}_FILE`]];
  if (text) return [text, name];
  if (!file) return undefined;
  try {
    return [readFileSync(file, "utf8").trim(), `${name}_FILE`];
  } catch (error) {
    throw new BadSetting(`${name}_FILE: ${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** Variables with that prefix that are not settings: the path of the file, and the crash tests' switch. */
const notSettings = new Set(["HEARTH_CONFIG", "HEARTH_CRASH_AT"]);

function readToml(file: string): [SettingName, Setting["standard"]][] {
  let parsed: unknown;
  try {
    parsed = Bun.TOML.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new BadSetting(`${file}: not valid TOML: ${error instanceof Error ? error.message : String(error)}`);
  }
  return flatten(parsed, "").map(([key, value]) => {
    const name = settingNames.find((known) => known === key);
    if (!name) throw new BadSetting(`${key}: there is no such setting (in ${file})${nearest(key, settingNames)}`);
    return [name, fromToml(name, value, `${key} (in ${file})`)];
  });
}

function flatten(value: unknown, prefix: string): [string, unknown][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [[prefix, value]];
  return Object.entries(value).flatMap(([key, inner]) => flatten(inner, prefix === "" ? key : `${prefix}.${key}`));
}

function fromToml(name: SettingName, value: unknown, where: string): Setting["standard"] {
  const setting: Setting = settings[name];
  if (setting.type.kind === "list") {
    if (!Array.isArray(value) || value.some((entry) => typeof entry !== "string"))
      throw new BadSetting(`${where}: must be a list of texts`);
    return checkedList(setting, value as string[], where);
  }
  if (setting.type.kind === "flag" && typeof value === "boolean") return value;
  if (setting.type.kind === "number" && typeof value === "number") return fromText(name, String(value), where);
  if (typeof value === "string" && setting.type.kind !== "number" && setting.type.kind !== "flag")
    return fromText(name, value, where);
  throw new BadSetting(
    `${where}: must be a ${setting.type.kind === "flag" ? "true or false" : setting.type.kind === "number" ? "number" : "text"}`,
  );
}

function fromText(name: SettingName, text: string, where: string): Setting["standard"] {
  const setting: Setting = settings[name];
  const type = setting.type;
  switch (type.kind) {
    case "text": {
      const complaint = type.check?.(text);
      if (complaint) throw new BadSetting(`${where}: ${complaint}`);
      return text;
    }
    case "choice":
      if (!type.of.includes(text)) throw new BadSetting(`${where}: must be one of ${type.of.join(", ")}`);
      return text;
    case "flag":
      if (!/^(true|false|1|0|yes|no|on|off)$/i.test(text)) throw new BadSetting(`${where}: must be true or false`);
      return /^(true|1|yes|on)$/i.test(text);
    case "number": {
      const number = Number(text);
      if (!Number.isInteger(number) || text.trim() === "" || number < type.least || number > type.most)
        throw new BadSetting(`${where}: must be a whole number from ${type.least} to ${type.most}`);
      return number;
    }
    case "list":
      return checkedList(
        setting,
        text
          .split(/[\s,]+/)
          .map((entry) => entry.trim())
          .filter((entry) => entry !== ""),
        where,
      );
  }
}

function checkedList(setting: Setting, entries: string[], where: string): string[] {
  for (const entry of entries) {
    const complaint = setting.type.kind === "list" ? setting.type.check?.(entry) : undefined;
    if (complaint) throw new BadSetting(`${where}: ${entry}: ${complaint}`);
  }
  return entries;
}

function nearest(given: string, known: readonly string[]): string {
  const words = (text: string) => new Set(text.toLowerCase().split(/[._]/));
  const mine = words(given);
  const best = known
    .map((name) => ({ name, shared: [...words(name)].filter((word) => mine.has(word) && word !== "hearth").length }))
    .sort((a, b) => b.shared - a.shared)[0];
  return best && best.shared > 0 ? `; did you mean ${best.name}?` : "";
}
