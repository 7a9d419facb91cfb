import type { RepositoryFolder } from "../../src/git/folder.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { parseDateStyle } from "../../src/git/pretty/dates.ts";
import { decorationsOf } from "../../src/git/pretty/decorations.ts";
import {
  type CommitFormat,
  type CommitToPrint,
  compileFormat,
  type PrettyContext,
} from "../../src/git/pretty/format.ts";
import { Fatal, type Terminal } from "./command.ts";
import { readMailmap } from "./mailmap.ts";
import type { OptionTable, Words } from "./options.ts";
import { decorationSource, prettyContext } from "./pretty.ts";
import { isYes, settingOf } from "./settings.ts";

/** Options of every command that prints commits. */
export const prettyOptions: OptionTable = {
  "--pretty": ["attached", "pretty", "usual pretty"],
  "--format": ["value", "format"],
  "--oneline": ["flag", "oneline"],
  "--abbrev-commit": ["flag", "abbrev-commit"],
  "--no-abbrev-commit": ["flag", "no-abbrev-commit"],
  "--abbrev": ["attached", "abbrev"],
  "--no-abbrev": ["flag", "no-abbrev"],
  "--date": ["value", "date"],
  "--relative-date": ["flag", "relative-date"],
  "--decorate": ["attached", "decorate"],
  "--no-decorate": ["flag", "no-decorate"],
  "--mailmap": ["flag", "mailmap"],
  "--use-mailmap": ["flag", "mailmap"],
  "--no-mailmap": ["flag", "no-mailmap"],
  "--no-use-mailmap": ["flag", "no-mailmap"],
};

/** Prints commits as the options request. */
export interface Pretty {
  readonly format: CommitFormat;
  readonly context: PrettyContext;
  /** The whole commit in the format. */
  print(oid: Oid, told?: Pick<CommitToPrint, "parents" | "from">): string;
  /** Without the line that names the commit, with the newline that `rev-list` appends. */
  body(oid: Oid): string;
}

export interface PrettyUse {
  /** For `rev-list`: no default format, and names without mailmap. */
  readonly forList?: boolean;
  /** `%h` and similar placeholders print full ids. */
  readonly wholeIds?: boolean;
  mark?(oid: Oid): string;
}

/** Undefined when no format is requested or set by default. @throws Fatal, UnknownFormat, UnknownDateFormat */
export function prettyOf(
  repository: RepositoryFolder,
  terminal: Terminal,
  words: Words,
  use: PrettyUse = {},
): Pretty | undefined {
  const text = formatText(words);
  if (text === undefined && use.forList) return undefined;
  const format = compileFormat(text ?? "medium");
  const context = contextOf(repository, terminal, words, format, use);
  const dataOf = (oid: Oid) => {
    const object = repository.store.read(oid);
    if (object?.type !== "commit") throw new Fatal(`bad object ${oid}`);
    return object.data;
  };
  return {
    format,
    context,
    print: (oid, told) => format.print({ oid, data: dataOf(oid), ...told }, context),
    body: (oid) => bodyOf(format, format.print({ oid, data: dataOf(oid) }, context)),
  };
}

function bodyOf(format: CommitFormat, text: string): string {
  if (format.name === "user") return text === "" ? "" : `${text}\n`;
  if (format.name === "oneline") return `${text.slice(text.indexOf(" ") + 1)}\n`;
  return `${text.slice(text.indexOf("\n") + 1)}\n`;
}

/** The last option that names a format. */
function formatText(words: Words): string | undefined {
  let text: string | undefined;
  for (const { name, value } of words.options) {
    if (name === "pretty") text = value;
    else if (name === "format") text = value;
    else if (name === "usual pretty") text = "medium";
    else if (name === "oneline") text = "oneline";
  }
  return text;
}

function contextOf(
  repository: RepositoryFolder,
  terminal: Terminal,
  words: Words,
  format: CommitFormat,
  use: PrettyUse,
): PrettyContext {
  const digits = words.value("abbrev");
  const known = prettyContext(repository, terminal, digits ? Number(digits) : "auto", use.forList);
  const style = words.has("relative-date") ? "relative" : words.value("date");
  const decorate = decorationOption(words);
  const full = decorate === "full" ? fullDecorations(repository) : undefined;
  // `%aN` and similar placeholders always use the mailmap.
  const unmapped = format.name !== "user" && (use.forList || !usesMailmap(repository, terminal, words));
  return {
    clock: known.clock,
    ...(style === undefined ? {} : { dates: parseDateStyle(style) }),
    ...(known.describe ? { describe: known.describe } : {}),
    abbreviate: words.has("no-abbrev") || use.wholeIds ? (oid) => oid : known.abbreviate,
    ...(unmapped || !known.mapIdentity ? {} : { mapIdentity: known.mapIdentity }),
    decorations: full ?? ((oid) => known.decorations?.(oid)),
    ...(use.mark ? { mark: use.mark } : {}),
    abbreviateCommits: abbreviatesCommits(words),
    keepTabs: use.forList ?? false,
    decorate: decorate !== undefined,
    showParents: words.has("parents") && !use.forList,
  };
}

/** Also implied by `--oneline`; the last option wins. */
export function abbreviatesCommits(words: Words): boolean {
  const last = words.options.findLast(({ name }) => /^(?:oneline|(?:no-)?abbrev-commit)$/.test(name));
  return last !== undefined && last.name !== "no-abbrev-commit";
}

function decorationOption(words: Words): "short" | "full" | undefined {
  let decorate: "short" | "full" | undefined;
  for (const { name, value } of words.options) {
    if (name === "no-decorate") decorate = undefined;
    if (name !== "decorate") continue;
    if (!["", "short", "full", "auto", "no"].includes(value)) throw new Fatal(`invalid --decorate option: ${value}`);
    decorate = value === "full" ? "full" : value === "" || value === "short" ? "short" : undefined;
  }
  return decorate;
}

function fullDecorations(repository: RepositoryFolder): NonNullable<PrettyContext["decorations"]> {
  const known = decorationsOf(decorationSource(repository), { full: true });
  return (oid) => known.get(oid);
}

/** The mailmap lookup; undefined when it is not to be used, or has no entries. */
export function mapIdentity(
  repository: RepositoryFolder,
  terminal: Terminal,
  words: Words,
): PrettyContext["mapIdentity"] {
  if (!usesMailmap(repository, terminal, words)) return undefined;
  const mailmap = readMailmap(repository, terminal);
  return mailmap.isEmpty ? undefined : (name, email) => mailmap.map(name, email);
}

/** The last option about it, or `log.mailmap`. */
function usesMailmap(repository: RepositoryFolder, terminal: Terminal, words: Words): boolean {
  const last = words.options.findLast(({ name }) => name === "mailmap" || name === "no-mailmap");
  if (last) return last.name === "mailmap";
  return isYes(settingOf(repository, terminal, "log.mailmap") ?? "true") ?? true;
}
