import type { CommitText } from "./commit-text.ts";
import { lineEndOf } from "./commit-text.ts";
import type { PrettyContext } from "./context.ts";
import { type DateStyle, DEFAULT_DATES, formatDate } from "./dates.ts";
import { decorationText } from "./decorations.ts";
import { splitIdent } from "./ident.ts";

/** Expands a placeholder of one or two letters; undefined when it is to be left unexpanded. */
export type Expand = (commit: CommitText, context: PrettyContext) => string | undefined;

/** The placeholder at an offset, after the `%`; undefined when there is none of these. */
export function simplePlaceholder(text: string, at: number): { expand: Expand; length: number } | undefined {
  const first = text[at] ?? "";
  const second = text[at + 1] ?? "";
  if (first === "a" || first === "c") {
    const part = PERSON_PARTS.includes(second) ? second : undefined;
    const expand = part && signaturePart(first === "a" ? "author" : "committer", part);
    return expand ? { expand, length: 2 } : undefined;
  }
  if (first === "G")
    return Object.hasOwn(SIGNATURE, second) ? { expand: () => SIGNATURE[second], length: 2 } : undefined;
  // Reflog placeholders are empty, as nothing here walks a reflog.
  if (first === "g") return "dDsnNeE".includes(second) && second !== "" ? { expand: () => "", length: 2 } : undefined;
  const expand = Object.hasOwn(LETTERS, first) ? LETTERS[first] : undefined;
  return expand && { expand, length: 1 };
}

/** Signature placeholders, for commits whose signature is not verified. */
const SIGNATURE: Readonly<Record<string, string>> = { G: "", "?": "N", S: "", K: "", F: "", P: "", T: "undefined" };

const LETTERS: Readonly<Record<string, Expand>> = {
  H: (commit) => commit.oid,
  h: (commit, context) => context.abbreviate(commit.oid),
  T: (commit) => commit.tree,
  t: (commit, context) => context.abbreviate(commit.tree),
  P: (commit) => commit.parents.join(" "),
  p: (commit, context) => commit.parents.map((oid) => context.abbreviate(oid)).join(" "),
  m: (commit, context) => context.mark?.(commit.oid) ?? ">",
  d: (commit, context) => {
    const text = names(commit, context);
    return text === "" ? "" : ` (${text})`;
  },
  D: names,
  S: (commit, context) => context.source?.(commit.oid),
  N: (commit, context) => (context.notes ? context.notes(commit.oid) : ""),
  e: (commit) => commit.encoding ?? "",
  B: (commit) => commit.message,
  s: (commit) => commit.subject(" "),
  f: (commit) => fileName(commit.message.slice(commit.subjectStart, lineEndOf(commit.message, commit.subjectStart))),
  b: (commit) => commit.body,
};

function names(commit: CommitText, context: PrettyContext): string {
  return decorationText(context.decorations?.(commit.oid) ?? []);
}

const PERSON_PARTS = "nNeElLtdDriIhs";
const DATE_PARTS: Readonly<Record<string, DateStyle>> = {
  D: { kind: "rfc", local: false },
  r: { kind: "relative", local: false },
  i: { kind: "iso", local: false },
  I: { kind: "iso-strict", local: false },
  h: { kind: "human", local: false },
  s: { kind: "short", local: false },
};
/** These are empty when the signature line is malformed; the others are left unexpanded. */
const EMPTY_WHEN_BROKEN = "netdDri";

function signaturePart(keyword: "author" | "committer", part: string): Expand {
  const broken = EMPTY_WHEN_BROKEN.includes(part) ? "" : undefined;
  return (commit, context) => {
    const line = commit.signature(keyword);
    const ident = line === undefined ? undefined : splitIdent(line);
    if (!ident) return broken;
    if ("nNeElL".includes(part)) {
      const mapped = part <= "Z" ? (context.mapIdentity?.(ident.name, ident.email) ?? ident) : ident;
      if (part === "n" || part === "N") return mapped.name;
      return part === "e" || part === "E" ? mapped.email : localPart(mapped.email);
    }
    if (ident.date === undefined) return broken;
    if (part === "t") return ident.date;
    const style = DATE_PARTS[part] ?? context.dates ?? DEFAULT_DATES;
    return identDate(ident.date, ident.zone ?? 0, style, context);
  };
}

/** Formats the date of a signature line. Out-of-range numbers become 1970. */
export function identDate(digits: string, zone: number, style: DateStyle, context: PrettyContext): string {
  const seconds = Number(digits);
  return seconds < 2 ** 63 ? formatDate(seconds, zone, style, context.clock) : formatDate(0, 0, style, context.clock);
}

function localPart(email: string): string {
  const at = email.indexOf("@");
  return at < 0 ? email : email.slice(0, at);
}

/** `%f`: letters, digits, `.` and `_`, with a single `-` for any run of other characters. */
export function fileName(line: string): string {
  const name = line
    .replace(/[^A-Za-z0-9._]+/g, "-")
    .replace(/\.+/g, ".")
    .replace(/^-/, "");
  let end = name.length;
  while (end > 0 && (name[end - 1] === "." || name[end - 1] === "-")) end--;
  return name.slice(0, end);
}
