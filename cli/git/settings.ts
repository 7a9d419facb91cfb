import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Config, canonicalName, readInteger } from "../../src/git/config/config.ts";
import { readConfigFiles } from "../../src/git/config/files.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import { readHead } from "../../src/git/refs/files.ts";
import { Fatal, type Terminal } from "./command.ts";

/**
 * The configuration git would use (git-config, "FILES" and "ENVIRONMENT"): the system's, the user's and the
 * repository's files, with their includes, `GIT_CONFIG_KEY_0` and so on.
 * @throws BadConfig for a file that git would not read either
 */
export function configOf(repository: RepositoryFolder, { environment, configs }: Terminal): Config {
  const cached = configs.get(repository.gitDir);
  if (cached) return cached;
  const config = readConfig(repository, environment);
  configs.set(repository.gitDir, config);
  return config;
}

function readConfig({ gitDir }: RepositoryFolder, environment: Terminal["environment"]): Config {
  const home = environment["HOME"];
  const head = readHead(gitDir);
  const place = { gitDir, home, head: head && "ref" in head ? head.ref : undefined };
  const files = [
    ...(isYes(environment["GIT_CONFIG_NOSYSTEM"]) ? [] : [environment["GIT_CONFIG_SYSTEM"] ?? "/etc/gitconfig"]),
    ...(environment["GIT_CONFIG_GLOBAL"] !== undefined
      ? [environment["GIT_CONFIG_GLOBAL"]]
      : [
          environment["XDG_CONFIG_HOME"]
            ? join(environment["XDG_CONFIG_HOME"], "git/config")
            : join(home ?? "/nonexistent", ".config/git/config"),
          join(home ?? "/nonexistent", ".gitconfig"),
        ]),
    join(gitDir, "config"),
  ].filter((file) => file !== "");
  const config = readConfigFiles(files, place);
  const count = Math.min(Number(environment["GIT_CONFIG_COUNT"]) || 0, MAX_IN_ENVIRONMENT);
  const given = Array.from({ length: count }, (_, at) => ({
    name: canonicalName(environment[`GIT_CONFIG_KEY_${at}`] ?? ""),
    value: environment[`GIT_CONFIG_VALUE_${at}`],
  }));
  return given.length === 0 ? config : Config.of([...config.entries, ...given]);
}

const MAX_IN_ENVIRONMENT = 10_000;

/**
 * The last value of a setting.
 * @param key section and name in lower case: `user.name`
 * @throws BadConfig for a file that git would not read either
 */
export function settingOf(repository: RepositoryFolder, terminal: Terminal, key: string): string | undefined {
  const config = configOf(repository, terminal);
  // A key without a value means true.
  return config.has(key) ? (config.get(key) ?? "true") : undefined;
}

/**
 * A boolean setting; undefined when it is not set.
 * @throws Fatal when it is not a boolean, as git does
 */
export function yesOrNo(repository: RepositoryFolder, terminal: Terminal, key: string): boolean | undefined {
  const value = settingOf(repository, terminal, key);
  return value === undefined ? undefined : booleanOf(key, value);
}

/** @throws Fatal when the value is neither a boolean nor a number */
export function booleanOf(key: string, value: string): boolean {
  const yes = isYes(value);
  if (yes !== undefined) return yes;
  const number = readInteger(value);
  if (number === undefined) throw new Fatal(`bad boolean config value '${value}' for '${key}'`);
  return number !== 0;
}

/** A numeric setting. @throws Fatal when it is not a number, as git does */
export function numberOf(repository: RepositoryFolder, terminal: Terminal, key: string): number | undefined {
  const value = settingOf(repository, terminal, key);
  const number = value === undefined ? undefined : readInteger(value);
  if (value !== undefined && number === undefined)
    throw new Fatal(`bad numeric config value '${value}' for '${key}': invalid unit`);
  return number;
}

/**
 * The content of the user's attributes file (gitattributes(5)): `core.attributesFile`, or `git/attributes` beside the
 * user's configuration. Undefined without one.
 */
function userAttributes(repository: RepositoryFolder, terminal: Terminal): Uint8Array | undefined {
  const home = terminal.environment["HOME"] ?? "/nonexistent";
  const directory = terminal.environment["XDG_CONFIG_HOME"] || join(home, ".config");
  const named = settingOf(repository, terminal, "core.attributesfile");
  const path = named === undefined ? join(directory, "git/attributes") : named.replace(/^~\//, `${home}/`);
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path) : undefined;
}

/** The boolean value of a setting; undefined when it is not a boolean word. */
export function isYes(text: string | undefined): boolean | undefined {
  const word = text?.toLowerCase();
  if (word === "true" || word === "yes" || word === "on" || word === "1") return true;
  return word === undefined || word === "false" || word === "no" || word === "off" || word === "0" || word === ""
    ? false
    : undefined;
}

/** The attribute files outside of trees: the repository's and the user's. */
export function attributeFiles(
  repository: RepositoryFolder,
  terminal: Terminal,
): { readonly info: Uint8Array | undefined; readonly user: Uint8Array | undefined } {
  const infoPath = join(repository.gitDir, "info", "attributes");
  return {
    info: existsSync(infoPath) ? readFileSync(infoPath) : undefined,
    user: userAttributes(repository, terminal),
  };
}
