import type { ChangeStatus } from "../../src/git/diff/change.ts";
import { PathFilter } from "../../src/git/diff/paths.ts";
import type { WantedPath } from "../../src/git/diff/pathspec.ts";
import { STATUS_LETTERS } from "../../src/git/diff/print/names.ts";
import type { DiffFormat, PrintOptions, StatusFilter, StatWidths } from "../../src/git/diff/print/options.ts";
import { Fatal, GitUsage } from "./command.ts";
import type { DiffSettings } from "./diff-settings.ts";
import type { OptionTable, Words } from "./options.ts";

/** git's options for finding and showing differences; for `readWords`, together with a command's own. */
export const diffOptionTable: OptionTable = {
  "-p": ["flag", "patch"],
  "-u": ["flag", "patch"],
  "--patch": ["flag", "patch"],
  "-s": ["flag", "no-patch"],
  "--no-patch": ["flag", "no-patch"],
  "--raw": ["flag", "raw"],
  "--name-only": ["flag", "name-only"],
  "--name-status": ["flag", "name-status"],
  "--numstat": ["flag", "numstat"],
  "--stat": ["attached", "stat"],
  "--stat-width": ["value", "stat-width"],
  "--stat-name-width": ["value", "stat-name-width"],
  "--stat-graph-width": ["value", "stat-graph-width"],
  "--stat-count": ["value", "stat-count"],
  "--shortstat": ["flag", "shortstat"],
  "--summary": ["flag", "summary"],
  "--patch-with-stat": ["flag", "patch-with-stat"],
  "--patch-with-raw": ["flag", "patch-with-raw"],
  "-z": ["flag", "nul"],
  "-U": ["value", "context"],
  "--unified": ["value", "context"],
  "--inter-hunk-context": ["value", "inter-hunk-context"],
  "-M": ["attached", "find-renames"],
  "--find-renames": ["attached", "find-renames"],
  "-C": ["attached", "find-copies"],
  "--find-copies": ["attached", "find-copies"],
  "--find-copies-harder": ["flag", "find-copies-harder"],
  "--no-renames": ["flag", "no-renames"],
  "-l": ["value", "rename-limit"],
  "-w": ["flag", "ignore-all-space"],
  "--ignore-all-space": ["flag", "ignore-all-space"],
  "-b": ["flag", "ignore-space-change"],
  "--ignore-space-change": ["flag", "ignore-space-change"],
  "--ignore-space-at-eol": ["flag", "ignore-space-at-eol"],
  "--ignore-cr-at-eol": ["flag", "ignore-cr-at-eol"],
  "--ignore-blank-lines": ["flag", "ignore-blank-lines"],
  "--minimal": ["flag", "minimal"],
  "--no-minimal": ["flag", "no-minimal"],
  "--histogram": ["flag", "histogram"],
  "--patience": ["flag", "patience"],
  "--diff-algorithm": ["value", "diff-algorithm"],
  "--indent-heuristic": ["flag", "indent-heuristic"],
  "--no-indent-heuristic": ["flag", "no-indent-heuristic"],
  "-a": ["flag", "text"],
  "--text": ["flag", "text"],
  "--binary": ["flag", "binary"],
  "--full-index": ["flag", "full-index"],
  "--abbrev": ["attached", "abbrev"],
  "--no-abbrev": ["flag", "no-abbrev"],
  "--no-prefix": ["flag", "no-prefix"],
  "--src-prefix": ["value", "src-prefix"],
  "--dst-prefix": ["value", "dst-prefix"],
  "-R": ["flag", "reverse"],
  "--diff-filter": ["value", "diff-filter"],
  "--exit-code": ["flag", "exit-code"],
  "--quiet": ["flag", "quiet"],
  // Accepted without effect: output never has colours, and user-defined drivers are never run.
  "--no-color": ["flag", "no-color"],
  "--no-ext-diff": ["flag", "no-ext-diff"],
  "--no-textconv": ["flag", "no-textconv"],
};

/** A command's defaults. */
export interface DiffDefaults {
  /** Printed when no format is requested; undefined: nothing. */
  readonly format?: DiffFormat | undefined;
  /** `git diff` and `git log` detect renames by default, `git diff-tree` does not. */
  readonly renames: boolean;
  /** `git diff` and `git log` abbreviate ids in raw lines, `git diff-tree` does not. */
  readonly abbrev: boolean;
  readonly settings?: Partial<DiffSettings>;
}

export interface DiffRequest {
  readonly print: PrintOptions;
  /** `--exit-code` or `--quiet`: status 1 when there are differences. */
  readonly exitCode: boolean;
  /** `--quiet`: nothing is printed. */
  readonly quiet: boolean;
  /** A format was requested, even if it was `-s`. */
  readonly asked: boolean;
}

/** Collected while options are read; later ones override earlier ones. */
type Gathered = { -readonly [Key in keyof PrintOptions]?: PrintOptions[Key] };

const FORMATS: Readonly<Record<string, readonly DiffFormat[]>> = {
  patch: ["patch"],
  raw: ["raw"],
  "name-only": ["name-only"],
  "name-status": ["name-status"],
  numstat: ["numstat"],
  stat: ["stat"],
  shortstat: ["shortstat"],
  summary: ["summary"],
  "patch-with-stat": ["patch", "stat"],
  "patch-with-raw": ["patch", "raw"],
};

/** Options for the details of a format imply that format. */
const IMPLIED: Readonly<Record<string, DiffFormat>> = {
  context: "patch",
  binary: "patch",
  "stat-width": "stat",
  "stat-name-width": "stat",
  "stat-graph-width": "stat",
  "stat-count": "stat",
};

/** Options that set one property to a fixed value. */
const SETTINGS: Readonly<Record<string, Gathered>> = {
  nul: { nul: true },
  "find-copies-harder": { copiesHarder: true },
  "no-renames": { renames: false, copies: false },
  "ignore-all-space": { ignoreAllSpace: true },
  "ignore-space-change": { ignoreSpaceChange: true },
  "ignore-space-at-eol": { ignoreSpaceAtEol: true },
  "ignore-cr-at-eol": { ignoreCrAtEol: true },
  "ignore-blank-lines": { ignoreBlankLines: true },
  minimal: { minimal: true },
  "no-minimal": { minimal: false },
  histogram: { algorithm: "histogram" },
  patience: { algorithm: "patience" },
  "indent-heuristic": { indentHeuristic: true },
  "no-indent-heuristic": { indentHeuristic: false },
  text: { text: true },
  binary: { binary: true },
  "full-index": { fullIndex: true },
  "no-abbrev": { abbrev: undefined },
  "no-prefix": { oldPrefix: "", newPrefix: "" },
  reverse: { reverse: true },
};

/**
 * Reads the given options of `diffOptionTable`.
 * @param paths limits the output; none: everything
 * @throws GitUsage, Fatal for an option with an invalid value
 */
export function readDiffOptions(words: Words, defaults: DiffDefaults, paths: readonly WantedPath[] = []): DiffRequest {
  const formats = new Set<DiffFormat>();
  const abbrev = defaults.abbrev ? "auto" : undefined;
  const found: Gathered = { renames: defaults.renames, abbrev, ...defaults.settings };
  let asked = false;
  let silent = words.has("quiet-log");
  for (const { name, value } of words.options) {
    const added = FORMATS[name];
    if (added) {
      asked = true;
      for (const format of added) formats.add(format);
      if (added.includes("patch")) silent = false;
      if (name === "stat" && value !== "") found.stat = { ...found.stat, ...statWidths(value) };
    } else if (name === "no-patch") {
      asked = true;
      silent = true;
    } else Object.assign(found, SETTINGS[name] ?? valued(name, value, found, words));
    const implied = IMPLIED[name];
    if (implied) {
      asked = true;
      formats.add(implied);
      if (implied === "patch") silent = false;
    }
  }
  const quiet = words.has("quiet");
  if (!asked && defaults.format !== undefined) formats.add(defaults.format);
  settleFormats(formats, silent);
  if (quiet) formats.clear();
  const filter = paths.length === 0 ? undefined : new PathFilter(paths);
  return {
    print: {
      ...found,
      ...(found.copiesHarder ? { renames: true, copies: true } : {}),
      ...prefixes(found),
      formats,
      ...(filter ? { paths: filter } : {}),
    },
    exitCode: quiet || words.has("exit-code"),
    quiet,
    asked,
  };
}

function valued(name: string, value: string, found: Gathered, words: Words): Gathered {
  switch (name) {
    case "context":
      return { context: count(name, value) };
    case "inter-hunk-context":
      return { interHunkContext: count(name, value) };
    case "rename-limit":
      return { renameLimit: count(name, value) };
    case "find-renames":
      return { renames: true, copies: false, ...minScoreOf(value) };
    case "find-copies":
      // Given twice, it means --find-copies-harder.
      return { renames: true, copies: true, ...(found.copies ? { copiesHarder: true } : {}), ...minScoreOf(value) };
    case "diff-algorithm":
      return algorithmOption(value);
    case "abbrev":
      return { abbrev: value === "" ? "auto" : count(name, value) };
    case "src-prefix":
      return { oldPrefix: value };
    case "dst-prefix":
      return { newPrefix: value };
    case "diff-filter":
      return { filter: statusFilter(words.all(name)) };
    case "stat-width":
      return { stat: { ...found.stat, width: count(name, value) } };
    case "stat-name-width":
      return { stat: { ...found.stat, nameWidth: count(name, value) } };
    case "stat-graph-width":
      return { stat: { ...found.stat, graphWidth: count(name, value) } };
    case "stat-count":
      return { stat: { ...found.stat, count: count(name, value) } };
    default:
      return {};
  }
}

/**
 * @param silent `-s` came last: only a patch requested after it is printed, together with all formats requested before
 * @throws Fatal when formats exclude each other
 */
function settleFormats(formats: Set<DiffFormat>, silent: boolean): void {
  const alone = [formats.has("name-only"), formats.has("name-status"), silent];
  if (alone.filter(Boolean).length > 1) {
    throw new Fatal("options '--name-only', '--name-status', '--check', and '-s' cannot be used together");
  }
  if (silent) formats.clear();
  // Name-only formats override all others.
  const names = (["name-only", "name-status"] as const).find((name) => formats.has(name));
  if (!names) return;
  formats.clear();
  formats.add(names);
}

function count(name: string, value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new GitUsage(`option \`${name}' expects a numerical value`);
  return Number(value);
}

/**
 * `50%`, `5` (tenths), `.75`: without a percent sign, git reads digits as a decimal fraction. An option without a
 * number resets an earlier one.
 */
function minScoreOf(value: string): Gathered {
  if (value === "") return { minSimilarity: undefined };
  const parsed = /^(\d*)(?:\.(\d*))?(%?)$/.exec(value);
  if (!parsed) throw new GitUsage(`invalid argument to find-renames`);
  const [, whole = "", fraction = "", percent] = parsed;
  const part = percent ? Number(`${whole || "0"}.${fraction || "0"}`) / 100 : Number(`0.${whole}${fraction}`);
  const similarity = Math.min(100, part * 100);
  return { minSimilarity: similarity === 0 ? undefined : similarity };
}

/** The prefixes are swapped together with the trees. */
function prefixes({ reverse, oldPrefix = "a/", newPrefix = "b/" }: Gathered): Gathered {
  return reverse ? { oldPrefix: newPrefix, newPrefix: oldPrefix } : { oldPrefix, newPrefix };
}

/** Undefined when there is no such algorithm. */
export function algorithmNamed(value: string): Pick<PrintOptions, "algorithm" | "minimal"> | undefined {
  const name = value.toLowerCase();
  if (name === "minimal") return { algorithm: "myers", minimal: true };
  if (name === "default") return { algorithm: "myers", minimal: false };
  if (name === "myers" || name === "histogram" || name === "patience") return { algorithm: name, minimal: false };
  return undefined;
}

function algorithmOption(value: string): Gathered {
  const known = algorithmNamed(value);
  if (!known) throw new GitUsage('option diff-algorithm accepts "myers", "minimal", "patience" and "histogram"');
  return known;
}

function statWidths(value: string): StatWidths {
  const given = value.split(",").map((part) => count("stat", part || "0"));
  return Object.fromEntries(
    (["width", "nameWidth", "count"] as const).slice(0, given.length).map((name, i) => [name, given[i]]),
  );
}

/** Combines all values: what one option excludes, another cannot include again. */
function statusFilter(values: readonly string[]): StatusFilter {
  const statuses = Object.entries(STATUS_LETTERS) as [ChangeStatus, string][];
  const only = new Set<ChangeStatus>();
  const without = new Set<ChangeStatus>();
  let all = false;
  for (const value of values) {
    for (const letter of value) {
      if (letter === "*") all = true;
      else if (!/[ACDMRTUXBacdmrtuxb]/.test(letter))
        throw new GitUsage(`unknown change class '${letter}' in --diff-filter=${value}`);
      for (const [status, upper] of statuses) {
        if (letter === upper) only.add(status);
        else if (letter === upper.toLowerCase()) without.add(status);
      }
    }
  }
  // Exclusions alone start from everything.
  if (!/[A-Z*]/.test(values.join(""))) for (const [status] of statuses) only.add(status);
  for (const status of without) only.delete(status);
  return { only, all };
}
