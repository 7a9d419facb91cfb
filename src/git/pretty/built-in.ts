import { type CommitText, lineEndOf, skipBlankLines } from "./commit-text.ts";
import type { PrettyContext } from "./context.ts";
import { type DateStyle, DEFAULT_DATES } from "./dates.ts";
import { decorationText } from "./decorations.ts";
import { type Ident, splitIdent, trimEnd } from "./ident.ts";
import { fromLine, isBeyondAscii, subjectLine } from "./mail.ts";
import { identDate } from "./placeholders.ts";
import { columnsOf, hasStrayBytes } from "./width.ts";

/** git's built-in formats (git-log(1), "PRETTY FORMATS"), without `reference`, which is a user format. */
export type BuiltInName = "oneline" | "short" | "medium" | "full" | "fuller" | "raw" | "email" | "mboxrd";

const INDENT = "    ";
const TAB_COLUMNS = 8;
const RFC_DATES: DateStyle = { kind: "rfc", local: false };

/** Formats a commit, including its `commit` line. */
export function formatBuiltIn(name: BuiltInName, commit: CommitText, context: PrettyContext): string {
  if (name === "oneline") return `${commitName(commit, context)} ${commit.subject(" ")}`;
  if (name === "email" || name === "mboxrd") return mail(name, commit, context);
  const head = name === "raw" ? commit.headers : signatureLines(name, commit, context);
  const message = commit.message.slice(skipBlankLines(commit.message, 0));
  const expandsTabs = !context.keepTabs && name !== "raw" && name !== "short";
  const body = indented(name === "short" ? firstParagraph(message) : message, expandsTabs);
  return `commit ${commitName(commit, context)}\n${trimEnd(`${head}\n${body}`)}\n`;
}

function commitName(commit: CommitText, context: PrettyContext): string {
  const short = (oid: string) => (context.abbreviateCommits ? context.abbreviate(oid) : oid);
  const parents = context.showParents ? commit.parents.map((oid) => ` ${short(oid)}`).join("") : "";
  const names = context.decorate ? (context.decorations?.(commit.oid) ?? []) : [];
  const source = context.source?.(commit.oid);
  const decoration = names.length === 0 ? "" : ` (${decorationText(names)})`;
  const from = commit.from === undefined ? "" : ` (from ${short(commit.from)})`;
  return short(commit.oid) + parents + from + (source === undefined ? "" : `\t${source}`) + decoration;
}

function signatureLines(
  name: "short" | "medium" | "full" | "fuller",
  commit: CommitText,
  context: PrettyContext,
): string {
  const { parents } = commit;
  let text = parents.length < 2 ? "" : `Merge: ${parents.map((oid) => context.abbreviate(oid)).join(" ")}\n`;
  const dates = context.dates ?? DEFAULT_DATES;
  const add = (what: "Author" | "Commit", ident: Ident | undefined) => {
    if (!ident) return;
    text += `${what}: ${name === "fuller" ? INDENT : ""}${ident.name} <${ident.email}>\n`;
    const date = () => dateOf(ident, dates, context);
    if (name === "medium") text += `Date:   ${date()}\n`;
    else if (name === "fuller") text += `${what}Date: ${date()}\n`;
  };
  add("Author", signatureOf(commit, "author", context));
  if (name === "full" || name === "fuller") add("Commit", signatureOf(commit, "committer", context));
  return text;
}

function signatureOf(commit: CommitText, keyword: "author" | "committer", context: PrettyContext): Ident | undefined {
  const line = commit.signature(keyword);
  const ident = line === undefined ? undefined : splitIdent(line);
  return ident && { ...ident, ...context.mapIdentity?.(ident.name, ident.email) };
}

function dateOf(ident: Ident, style: DateStyle, context: PrettyContext): string {
  return identDate(ident.date ?? "0", ident.zone ?? 0, style, context);
}

function mail(name: "email" | "mboxrd", commit: CommitText, context: PrettyContext): string {
  const ident = signatureOf(commit, "author", context);
  let text = `From ${commit.oid} Mon Sep 17 00:00:00 2001\n`;
  if (ident) text += `${fromLine(ident.name, ident.email)}Date: ${dateOf(ident, RFC_DATES, context)}\n`;
  text += subjectLine(commit.subject(" "));
  if (isBeyondAscii(commit.message))
    text += "MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n";
  const body = trimEnd(
    linesOf(commit.body)
      .map((line) => quoteFrom(name, line))
      .join("\n"),
  );
  return body === "" ? `${trimEnd(text)}\n\n` : `${text}\n${body}\n`;
}

/** Keeps lines of the message from starting a new mail. */
function quoteFrom(name: "email" | "mboxrd", line: string): string {
  return name === "mboxrd" && /^>*From /.test(line) ? `>${line}` : line;
}

function indented(message: string, expandsTabs: boolean): string {
  return linesOf(message)
    .map((line) => INDENT + (expandsTabs ? withoutTabs(line) : line))
    .join("\n");
}

/** Lines without trailing spaces; blank lines become empty. */
function linesOf(message: string): string[] {
  const lines = message.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => trimEnd(line));
}

function firstParagraph(message: string): string {
  let at = 0;
  while (at < message.length) {
    const end = lineEndOf(message, at);
    if (trimEnd(message.slice(at, end)) === "") return message.slice(0, at);
    at = end;
  }
  return message;
}

/** Expands tabs, as the indent would shift their stops. A part that is not UTF-8 leaves the rest unchanged. */
function withoutTabs(line: string): string {
  let out = "";
  let rest = line;
  for (let tab = rest.indexOf("\t"); tab >= 0; tab = rest.indexOf("\t")) {
    const part = rest.slice(0, tab);
    if (/[\x00-\x1f\x7f-\x9f]/.test(part) || hasStrayBytes(part)) break;
    out += part + " ".repeat(TAB_COLUMNS - (columnsOf(part) % TAB_COLUMNS));
    rest = rest.slice(tab + 1);
  }
  return out + rest;
}
