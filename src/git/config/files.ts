import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { encodeName, toLatin1 } from "../objects/names.ts";
import { Glob, MatchBudget } from "../patterns/glob.ts";
import { BadConfig, Config, type ConfigEntry } from "./config.ts";

/** The facts that include conditions are matched against. */
export interface ConfigPlace {
  /** The directory that contains `HEAD`. */
  readonly gitDir: string;
  /** For `~/`; undefined if there is none. */
  readonly home: string | undefined;
  /** The full name of the ref that HEAD points to; undefined if it is detached. */
  readonly head: string | undefined;
}

/** As in git: deeper nesting is taken for a cycle. */
const MAX_DEPTH = 10;

/**
 * The settings of several configuration files, later ones overriding earlier ones, with the files they include
 * (git-config(1), "Includes"). Missing files are skipped.
 * @throws BadConfig for a file that git could not read either
 */
export function readConfigFiles(paths: readonly string[], place: ConfigPlace): Config {
  const entries = readAll(paths, place, []);
  if (!entries.some(({ name }) => name.startsWith("includeif.hasconfig:"))) return Config.of(entries);
  // Whether any remote has a certain URL decides about includes, which may come before that URL.
  const addresses = entries.filter(({ name }) => /^remote\..*\.url$/s.test(name)).flatMap(({ value }) => value ?? []);
  return Config.of(readAll(paths, place, addresses));
}

function readAll(paths: readonly string[], place: ConfigPlace, addresses: readonly string[]) {
  const entries: ConfigEntry[] = [];
  const read = (path: string, depth: number) => {
    if (!existsSync(path)) return;
    if (depth > MAX_DEPTH)
      throw new BadConfig(`exceeded maximum include depth (${MAX_DEPTH}) while including\n\t${path}`);
    for (const entry of parse(path).entries) {
      entries.push(entry);
      const condition = conditionOf(entry.name);
      if (condition === undefined || entry.value === undefined) continue;
      if (condition === "" || isMet(condition, path, place, addresses))
        read(pathFrom(path, entry.value, place), depth + 1);
    }
  };
  for (const path of paths) read(path, 0);
  return entries;
}

function parse(path: string): Config {
  try {
    return Config.parse(readFileSync(path));
  } catch (error) {
    if (error instanceof BadConfig) throw new BadConfig(`${error.message} in file ${path}`);
    throw error;
  }
}

/** The condition of `includeIf.<condition>.path`; empty for `include.path`, undefined for anything else. */
function conditionOf(name: string): string | undefined {
  if (name === "include.path") return "";
  return /^includeif\.(.+)\.path$/s.exec(name)?.[1];
}

function pathFrom(file: string, path: string, { home }: ConfigPlace): string {
  if (path.startsWith("~/") && home !== undefined) return join(home, path.slice(2));
  return isAbsolute(path) ? path : join(dirname(file), path);
}

function isMet(condition: string, file: string, place: ConfigPlace, addresses: readonly string[]): boolean {
  const [, kind, pattern = ""] = /^(gitdir|gitdir\/i|onbranch|hasconfig:remote\.\*\.url):(.*)$/s.exec(condition) ?? [];
  if (kind === "gitdir" || kind === "gitdir/i") return isIn(pattern, file, place, kind === "gitdir/i");
  if (kind === "onbranch") {
    const branch = /^refs\/heads\/(.+)$/.exec(place.head ?? "")?.[1];
    return branch !== undefined && matches(withRest(pattern), branch, false);
  }
  if (kind === undefined) return false;
  return addresses.some((address) => matches(pattern, address, false));
}

function isIn(pattern: string, file: string, { gitDir, home }: ConfigPlace, anyCase: boolean): boolean {
  let whole = pattern;
  if (pattern.startsWith("~/") && home !== undefined) whole = join(home, pattern.slice(1));
  else if (pattern.startsWith("./")) whole = join(dirname(realpathSync(file)), pattern.slice(2));
  else if (!isAbsolute(pattern)) whole = `**/${pattern}`;
  // git appends "/." to the path of a bare repository, so that the pattern of that directory itself matches.
  const directories = [realpathSync(gitDir), basename(gitDir) === ".git" ? gitDir : `${gitDir}/.`];
  return directories.some((directory) => matches(withRest(whole), directory, anyCase));
}

/** A directory pattern matches everything in it. */
function withRest(pattern: string): string {
  return pattern.endsWith("/") ? `${pattern}**` : pattern;
}

function matches(pattern: string, text: string, anyCase: boolean): boolean {
  const [a, b] = [pattern, text].map((one) => toLatin1(encodeName(anyCase ? one.toLowerCase() : one)));
  return new Glob(a!).matches(b!, new MatchBudget());
}
