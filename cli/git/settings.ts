import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Config } from "../../src/git/config/config.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import type { Terminal } from "./command.ts";

/**
 * The last value of a setting, as git finds it (git-config, "FILES"): the system's file, the user's, the repository's.
 * Files that those include are not read.
 * @param key section and name in lower case: `user.name`
 * @throws BadConfig a file that git would not read either
 */
export function settingOf(repository: RepositoryFolder, terminal: Terminal, key: string): string | undefined {
  const { environment } = terminal;
  const home = environment["HOME"];
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
    join(repository.commonDir, "config"),
  ];
  let found: string | undefined;
  for (const file of files) if (file !== "" && existsSync(file)) found = lastValue(file, key) ?? found;
  return found;
}

/** Whether a setting says yes; undefined when it is no such word. */
export function isYes(text: string | undefined): boolean | undefined {
  const word = text?.toLowerCase();
  if (word === "true" || word === "yes" || word === "on" || word === "1") return true;
  return word === undefined || word === "false" || word === "no" || word === "off" || word === "0" || word === ""
    ? false
    : undefined;
}

function lastValue(file: string, key: string): string | undefined {
  const config = Config.parse(readFileSync(file));
  // A name without a value says yes.
  return config.has(key) ? (config.get(key) ?? "true") : undefined;
}
