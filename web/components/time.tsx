import { raw, type SafeHtml, trustHtml } from "../jsx/raw.ts";

/** Milliseconds since 1970, UTC. */
export type Instant = number;

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** "21 Nov 2026", in UTC. Written out: a page may have hundreds, and `Intl` takes ten times as long. */
export function dayText(at: Instant): string {
  const date = new Date(at);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** Whether a moment is one a calendar can show; git lets people write any number. */
export function isDate(at: Instant): boolean {
  return Math.abs(at) <= 8.64e15;
}

/**
 * A moment as HTML: the date as text, so that it says something without the script, which turns it into "3 hours ago"
 * and its title into the visitor's own time.
 */
export function timeHtml(at: Instant, prefix = ""): SafeHtml {
  if (!isDate(at)) return trustHtml('<span class="muted">unknown date</span>');
  const iso = new Date(at).toISOString();
  const words = prefix === "" ? "" : `${Bun.escapeHTML(prefix)} `;
  const title = `${iso.slice(0, -5).replace("T", " ")} UTC`;
  return trustHtml(
    `<time datetime="${iso}" title="${title}" data-rel="${words.trimEnd()}">${words}${dayText(at)}</time>`,
  );
}

/** `timeHtml` as a component. */
export function Time({ at, prefix }: { at: Instant; prefix?: string }) {
  return raw(timeHtml(at, prefix));
}
