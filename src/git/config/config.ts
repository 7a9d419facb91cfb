import { homedir } from "node:os";
import { join } from "node:path";
import { GitError } from "../errors.ts";
import { decodeName, toLatin1 } from "../objects/names.ts";
import { eachConfigValue } from "./reader.ts";

/** A configuration file cannot be parsed, or a value does not have the requested type. */
export class BadConfig extends GitError {
  override name = "BadConfig";
}

export interface ConfigEntry {
  /** `core.bare`, `submodule.lib/x.url`: section and key in lower case. */
  readonly name: string;
  /** Undefined for a key without `=`, which means "true" for a boolean. */
  readonly value: string | undefined;
}

/** The settings of git configuration files; text in the form of `decodeName`. */
export class Config {
  private readonly byName = new Map<string, (string | undefined)[]>();

  private constructor(readonly entries: readonly ConfigEntry[]) {
    for (const { name, value } of entries) {
      const existing = this.byName.get(name);
      if (existing) existing.push(value);
      else this.byName.set(name, [value]);
    }
  }

  /**
   * Parses a file from disk; a UTF-8 byte order mark at its start is skipped.
   * @throws BadConfig
   */
  static parse(data: Uint8Array): Config {
    const hasMark = data[0] === 0xef && data[1] === 0xbb && data[2] === 0xbf;
    return Config.read(hasMark ? data.subarray(3) : data, false);
  }

  /** Parses a file from a tree, in which git skips no byte order mark; everything after an invalid line is ignored. */
  static parseBlob(data: Uint8Array): Config {
    return Config.read(data, true);
  }

  /** Combines the entries of several files. */
  static of(entries: readonly ConfigEntry[]): Config {
    return new Config(entries);
  }

  private static read(data: Uint8Array, tolerant: boolean): Config {
    const entries: ConfigEntry[] = [];
    const text = (latin1: string) => decodeName(Buffer.from(latin1, "latin1"));
    const badLine = eachConfigValue(toLatin1(data), (name, value) => {
      entries.push({ name: text(name), value: value === undefined ? undefined : text(value) });
    });
    if (badLine !== undefined && !tolerant) throw new BadConfig(`bad config line ${badLine}`);
    return new Config(entries);
  }

  /** The last value, which is the one git uses; undefined also for a key without `=`. */
  get(name: string): string | undefined {
    return this.all(name).at(-1);
  }

  all(name: string): readonly (string | undefined)[] {
    return this.byName.get(canonicalName(name)) ?? [];
  }

  has(name: string): boolean {
    return this.byName.has(canonicalName(name));
  }

  /** Undefined if not set. @throws BadConfig for a value that is neither a boolean nor a number */
  boolean(name: string): boolean | undefined {
    if (!this.has(name)) return undefined;
    const value = this.get(name);
    if (value === undefined || /^(?:true|yes|on)$/i.test(value)) return true;
    if (value === "" || /^(?:false|no|off)$/i.test(value)) return false;
    const number = readInteger(value);
    if (number === undefined) throw new BadConfig(`bad boolean config value '${value}' for '${name}'`);
    return number !== 0;
  }

  /** Accepts `k`, `m` and `g` as powers of 1024. @throws BadConfig */
  integer(name: string): number | undefined {
    if (!this.has(name)) return undefined;
    const value = this.get(name) ?? "";
    const number = readInteger(value);
    if (number === undefined) throw new BadConfig(`bad numeric config value '${value}' for '${name}': invalid unit`);
    return number;
  }

  /** Expands `~/` to the home directory. */
  path(name: string, home = homedir()): string | undefined {
    const value = this.get(name);
    return value?.startsWith("~/") ? join(home, value.slice(2)) : value;
  }

  /** `lib/x` for `[submodule "lib/x"]`, in order of first appearance. */
  subsections(section: string): string[] {
    const start = `${section.toLowerCase()}.`;
    const found = new Set<string>();
    for (const { name } of this.entries) {
      const end = name.lastIndexOf(".");
      if (name.startsWith(start) && end > start.length - 1) found.add(name.slice(start.length, end));
    }
    return [...found];
  }
}

const UNITS: Readonly<Record<string, number>> = { "": 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

/** Parses a number in configuration syntax, with `k`, `m` and `g` as powers of 1024; undefined for anything else. */
export function readInteger(value: string): number | undefined {
  const match = /^[ \t\n\v\f\r]*([+-]?)(0[xX][0-9a-fA-F]+|\d+)([kmg]?)$/i.exec(value);
  if (!match) return undefined;
  const [, sign, digits, unit] = match;
  // C reads a leading zero as octal.
  const isOctal = /^0\d/.test(digits!);
  if (isOctal && /[89]/.test(digits!)) return undefined;
  const number = (isOctal ? Number.parseInt(digits!, 8) : Number(digits)) * UNITS[unit!.toLowerCase()]!;
  return Number.isSafeInteger(number) ? (sign === "-" ? -number : number) : undefined;
}

/** Lower-cases section and key; the subsection between them keeps its case. */
export function canonicalName(name: string): string {
  const first = name.indexOf(".");
  const last = name.lastIndexOf(".");
  return name.slice(0, first).toLowerCase() + name.slice(first, last) + name.slice(last).toLowerCase();
}
