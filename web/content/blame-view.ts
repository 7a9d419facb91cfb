import type { Language } from "../../src/language/language.ts";
import type { CodeHtml } from "../../src/markup/code-lines.ts";
import { Avatar, type Person } from "../components/avatar.tsx";
import { type Instant, timeHtml } from "../components/time.tsx";
import { type SafeHtml, trustHtml } from "../jsx/raw.ts";
import { commitHref, type RepoName } from "../links.ts";

/** Adjacent lines that come from one commit. */
export interface BlameBlock {
  /** The first line, from 0. */
  readonly line: number;
  count: number;
  readonly sha: string;
  readonly subject: string;
  readonly author: Person;
  readonly at: Instant;
  /** Description of the commit's signature, if it has one. */
  readonly signature?: { readonly text: string; readonly isTrusted: boolean } | undefined;
  /** An ignored commit also changed these lines. */
  readonly isTouched: boolean;
  /** The file before that commit. */
  readonly previous: { readonly commit: string; readonly href: string } | undefined;
}

export interface BlameWords {
  readonly noMessage: string;
  readonly beforeThisChange: string;
  readonly ignoredLine: string;
}

const AGES = 10;

/**
 * The lines of a file beside the commits they come from. Built as one string: a long file has thousands of blocks, and
 * components would take ten times as long.
 */
export function blameHtml(
  repo: RepoName,
  code: CodeHtml,
  blocks: readonly BlameBlock[],
  language: Language,
  words: BlameWords,
): SafeHtml {
  const lines = code.html.split(/(?=<span class="l" id=")/);
  const ageOf = ages(blocks);
  const faces = new Map<string, string>();
  const faceOf = (person: Person) => {
    const key = person.href ?? person.name;
    const known = faces.get(key) ?? String(Avatar({ person, size: 16 }));
    faces.set(key, known);
    return known;
  };
  let html = '<div class="blame-lines">';
  for (const block of blocks) {
    const { line, count, sha, subject, author, at, signature, isTouched, previous } = block;
    const title = Bun.escapeHTML(`${author.name}: ${subject || words.noMessage}`);
    html += `<div class="blame-block age-${ageOf(at)}"><div class="blame-by">${faceOf(author)}`;
    html += `<a class="clip" href="${Bun.escapeHTML(commitHref(repo, sha))}" title="${title}">`;
    html += `${Bun.escapeHTML(subject || words.noMessage)}</a>`;
    if (isTouched) html += `<span class="i i-info" title="${Bun.escapeHTML(words.ignoredLine)}"></span>`;
    if (signature) html += signatureIcon(signature);
    html += timeHtml(at, language);
    if (previous) {
      const label = Bun.escapeHTML(words.beforeThisChange);
      html += `<a class="blame-before i i-arrow-left" href="${Bun.escapeHTML(previous.href)}" title="${label}" aria-label="${label}"></a>`;
    }
    html += `</div><pre>${lines.slice(line, line + count).join("")}</pre></div>`;
  }
  return trustHtml(`${html}</div>`);
}

function signatureIcon({ text, isTrusted }: NonNullable<BlameBlock["signature"]>): string {
  const label = Bun.escapeHTML(text);
  return `<span class="i ${isTrusted ? "i-check-circle signed" : "i-key"}" role="img" title="${label}" aria-label="${label}"></span>`;
}

/** The age of an instant relative to the file's blocks: 0 is the newest, 9 the oldest. */
function ages(blocks: readonly BlameBlock[]): (at: Instant) => number {
  let oldest = Number.POSITIVE_INFINITY;
  let newest = Number.NEGATIVE_INFINITY;
  for (const { at } of blocks) {
    oldest = Math.min(oldest, at);
    newest = Math.max(newest, at);
  }
  const span = Math.max(1, newest - oldest);
  return (at) => Math.min(AGES - 1, Math.floor(((newest - at) / span) * AGES));
}
