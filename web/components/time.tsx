import type { Language } from "../../src/language/language.ts";
import { raw, type SafeHtml, trustHtml } from "../jsx/raw.ts";
import { useLanguage } from "../language.ts";
import { siteWords } from "../words/index.ts";

/** Milliseconds since 1970, UTC. */
export type Instant = number;

/** Placeholder for the time in a sentence: `t("joined", { time: TIME })`. */
export const TIME = "{time}";

/** Whether an instant can be shown as a date; git accepts any number. */
export function isDate(at: Instant): boolean {
  return Math.abs(at) <= 8.64e15;
}

/**
 * An instant as HTML: the date as text, so that it is readable without the script, which turns it into "3 hours ago"
 * and its title into the visitor's time zone.
 * @param text the sentence around it, with `TIME` where the time goes
 */
export function timeHtml(at: Instant, language: Language, text = TIME): SafeHtml {
  if (!isDate(at)) return trustHtml(`<span class="muted">${siteWords.in(language)("unknownDate")}</span>`);
  const iso = new Date(at).toISOString();
  const title = `${iso.slice(0, -5).replace("T", " ")} UTC`;
  const escaped = Bun.escapeHTML(text);
  const around = text === TIME ? "" : escaped;
  return trustHtml(
    `<time datetime="${iso}" title="${title}" data-rel="${around}">${escaped.replace(TIME, language.day(at))}</time>`,
  );
}

/** `timeHtml` as a component. */
export function Time({ at, text }: { at: Instant; text?: string }) {
  return raw(timeHtml(at, useLanguage(), text));
}
