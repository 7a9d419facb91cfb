/** The languages of Hearth's user interface, and how each formats numbers, days and lists. Knows nothing of users. */

/** The names of catalogue files: `words/de.ts`. English is the source of all. */
export type LanguageName = "en" | "de" | "fr" | "es" | "zh-CN" | "ja";

interface LanguageFacts {
  readonly name: LanguageName;
  /** As used in the language setting, the cookie and `?lang=`. */
  readonly code: string;
  /** In the language itself, because people looking for it may not read any other. */
  readonly ownName: string;
  /** For `<html lang>` and `Content-Language`; defaults to the code. */
  readonly tag?: string;
  /** The locale used with `Intl` for numbers and dates; defaults to the code. */
  readonly locale?: string;
}

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];
/** Counts from here on are shortened; the exact one belongs in a title. */
const SHORTENED_FROM = 1000;

type DayPart = "day" | "month" | "year" | { readonly text: string };

/** `Intl` formatters are slow to create (tens of microseconds) and quick to use: one of each is cached here. */
export class Language {
  readonly name: LanguageName;
  readonly code: string;
  readonly tag: string;
  readonly ownName: string;
  private readonly locale: string;
  private plurals: Intl.PluralRules | undefined;
  private exact: Intl.NumberFormat | undefined;
  private shortened: Intl.NumberFormat | undefined;
  private oneDigit: Intl.NumberFormat | undefined;
  private percents: Intl.NumberFormat | undefined;
  private conjunction: Intl.ListFormat | undefined;
  private days: { readonly order: readonly DayPart[]; readonly months: readonly string[] } | undefined;

  constructor(facts: LanguageFacts) {
    this.name = facts.name;
    this.code = facts.code;
    this.tag = facts.tag ?? facts.code;
    this.ownName = facts.ownName;
    this.locale = facts.locale ?? facts.code;
  }

  /** The plural form for that number. */
  pluralOf(count: number): Intl.LDMLPluralRule {
    this.plurals ??= new Intl.PluralRules(this.locale);
    return this.plurals.select(count);
  }

  /** "12,345". */
  number(count: number): string {
    this.exact ??= new Intl.NumberFormat(this.locale, { maximumFractionDigits: 20 });
    return count >= 0 && count < SHORTENED_FROM && Number.isInteger(count) ? String(count) : this.exact.format(count);
  }

  /** "999", "1.2k", "1.5M", in the short form of the language. */
  shortNumber(count: number): string {
    if (count < SHORTENED_FROM) return this.number(count);
    // By code, not locale: British English would have "1.2m" for a million.
    this.shortened ??= new Intl.NumberFormat(this.code, { notation: "compact", maximumSignificantDigits: 2 });
    const short = this.shortened.format(count);
    // German has no short word for thousands, and "12.000" for 12,345 would only look exact.
    return /\p{L}/u.test(short) ? short.replace(/K$/, "k") : this.number(count);
  }

  /** "1.2 MiB". */
  size(bytes: number): string {
    let amount = bytes;
    let unit = 0;
    while (amount >= 1024 && unit < UNITS.length - 1) {
      amount /= 1024;
      unit++;
    }
    if (unit === 0 || amount >= 100) return `${this.number(Math.round(amount))} ${UNITS[unit]}`;
    this.oneDigit ??= new Intl.NumberFormat(this.locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
    return `${this.oneDigit.format(amount)} ${UNITS[unit]}`;
  }

  /** "45.3%", with one decimal. @param percent on a scale of 0 to 100 */
  percent(percent: number): string {
    this.percents ??= new Intl.NumberFormat(this.locale, {
      style: "percent",
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
    });
    return this.percents.format(percent / 100);
  }

  /** "a, b and c". */
  list(items: readonly string[]): string {
    this.conjunction ??= new Intl.ListFormat(this.locale, { type: "conjunction" });
    return this.conjunction.format(items);
  }

  /** "21 Nov 2026, 14:05", in UTC; for mails and other rare uses. @param at milliseconds since 1970 */
  moment(at: number): string {
    const style = { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" } as const;
    return new Intl.DateTimeFormat(this.locale, style).format(at);
  }

  /**
   * "21 Nov 2026", in UTC. A page may have hundreds, and `Intl` takes ten times as long as composing it from the
   * language's own order and month names, which are read from `Intl` once.
   * @param at milliseconds since 1970; must be a representable date
   */
  day(at: number): string {
    this.days ??= daysOf(this.locale);
    const date = new Date(at);
    let text = "";
    for (const part of this.days.order) {
      if (part === "day") text += date.getUTCDate();
      else if (part === "month") text += this.days.months[date.getUTCMonth()];
      else if (part === "year") text += date.getUTCFullYear();
      else text += part.text;
    }
    return text;
  }
}

function daysOf(locale: string): { order: DayPart[]; months: string[] } {
  const format = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
  const partsOf = (month: number) => format.formatToParts(Date.UTC(2026, month, 21));
  const order = partsOf(10).map(({ type, value }): DayPart => {
    return type === "day" || type === "month" || type === "year" ? type : { text: value };
  });
  const months = Array.from({ length: 12 }, (_, month) => {
    return partsOf(month).find(({ type }) => type === "month")?.value ?? "";
  });
  return { order, months };
}

export const english = new Language({ name: "en", code: "en-US", tag: "en", ownName: "English", locale: "en-GB" });

/** In the order in which they are offered. */
export const languages: readonly Language[] = [
  english,
  new Language({ name: "de", code: "de-DE", ownName: "Deutsch" }),
  new Language({ name: "es", code: "es-ES", ownName: "Español" }),
  new Language({ name: "fr", code: "fr-FR", ownName: "Français" }),
  new Language({ name: "ja", code: "ja-JP", ownName: "日本語" }),
  new Language({ name: "zh-CN", code: "zh-CN", ownName: "简体中文" }),
];
