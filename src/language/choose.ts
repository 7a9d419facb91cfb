import { english, type Language, languages } from "./language.ts";

/** More of an `Accept-Language` than anyone needs; the rest is ignored (contract web.md 0.5). */
const MAX_ACCEPT_CHARACTERS = 200;

/** The language for a code: `de`, `de-DE` and `de_at` all mean German; undefined for unsupported languages. */
export function languageOfCode(code: string): Language | undefined {
  const [spoken = "", ...more] = code.trim().toLowerCase().split(/[-_]/);
  // Traditional Chinese is another script; people who ask for it may prefer their next language to this one.
  if (spoken === "zh" && more.some((part) => ["hant", "tw", "hk", "mo"].includes(part))) return undefined;
  return languages.find((language) => language.name.toLowerCase().split("-")[0] === spoken);
}

/** The language preferences of a request, in order of precedence; each may be absent or invalid. */
export interface LanguagePreferences {
  /** `?lang=` in the URL. */
  readonly query?: string | null | undefined;
  /** The setting of the signed-in account. */
  readonly account?: string | undefined;
  readonly cookie?: string | undefined;
  /** The `Accept-Language` header. */
  readonly accepted?: string | null | undefined;
}

/** The environment variables for the language of a terminal's messages; the first one set counts (POSIX, 8.2). */
const LOCALE_VARIABLES = ["LC_ALL", "LC_MESSAGES", "LANG"];

/** The language of a terminal: `LANG=de_AT.UTF-8` means German; `C` and unsupported languages mean English. */
export function languageOfLocale(environment: Readonly<Record<string, string | undefined>>): Language {
  const locale = LOCALE_VARIABLES.map((name) => environment[name]).find(Boolean) ?? "";
  return languageOfCode(locale.replace(/[.@].*$/s, "")) ?? english;
}

/** The language to answer in. */
export function chooseLanguage({ query, account, cookie, accepted }: LanguagePreferences): Language {
  for (const code of [query, account, cookie]) {
    const language = code ? languageOfCode(code) : undefined;
    if (language) return language;
  }
  return accepted ? (preferred(accepted) ?? english) : english;
}

/** The first known one, by weight and then by position (RFC 9110, 12.5.4). */
function preferred(accepted: string): Language | undefined {
  const ranges = accepted
    .slice(0, MAX_ACCEPT_CHARACTERS)
    .split(",")
    .map((range) => {
      const [code = "", ...parameters] = range.split(";");
      const weight = parameters.map((parameter) => /^\s*q=([\d.]{1,5})\s*$/i.exec(parameter)?.[1]).find(Boolean);
      return { code, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { code } of ranges) {
    const language = languageOfCode(code);
    if (language) return language;
  }
  return undefined;
}
