import { describe, expect, test } from "bun:test";
import { Catalogue } from "../../src/language/catalogue.ts";
import { chooseLanguage, languageOfCode } from "../../src/language/choose.ts";
import { english, languages } from "../../src/language/language.ts";

const named = (name: string) => languages.find((language) => language.name === name) ?? english;

describe("the language of a code", () => {
  test.each([
    ["de", "de"],
    ["de-AT", "de"],
    ["fr_CA", "fr"],
    ["EN-us", "en"],
    ["zh", "zh-CN"],
    ["zh-Hans-SG", "zh-CN"],
    ["ja-JP", "ja"],
    ["zh-TW", undefined],
    ["zh-Hant", undefined],
    ["xx-nonsense", undefined],
    ["deutsch", undefined],
    ["", undefined],
  ])("%s is %p", (code, name) => {
    expect(languageOfCode(code)?.name as string | undefined).toBe(name);
  });

  test("each language is found by its own code", () => {
    for (const language of languages) expect(languageOfCode(language.code)).toBe(language);
  });
});

describe("choosing", () => {
  test.each([
    ["nothing said", {}, "en"],
    ["the address wins", { query: "fr-FR", account: "de-DE", cookie: "es-ES", accepted: "ja" }, "fr"],
    ["then the account", { query: "tlh", account: "de-DE", cookie: "es-ES", accepted: "ja" }, "de"],
    ["then the cookie", { account: "", cookie: "es-ES", accepted: "ja" }, "es"],
    ["then the browser", { cookie: "", accepted: "ja" }, "ja"],
    ["by weight", { accepted: "en;q=0.5, de-DE;q=0.8, *;q=0.1" }, "de"],
    ["by place among equals", { accepted: "nl, fr, de" }, "fr"],
    ["what is refused is not taken", { accepted: "de;q=0, es;q=0.1" }, "es"],
    ["broken weights", { accepted: "de;q=much, ;;,,q=1" }, "de"],
    ["no more than 200 characters are read", { accepted: `${"xx,".repeat(70)}de` }, "en"],
  ])("%s", (_, request, name) => {
    expect(chooseLanguage(request).name as string).toBe(name);
  });
});

describe("numbers and days", () => {
  const at = Date.UTC(2026, 2, 5, 23, 59);
  test.each([
    ["en", "5 Mar 2026", "1,234,567", "1.2M", "12k", "1.5 MiB"],
    ["de", "5. März 2026", "1.234.567", "1,2 Mio.", "12.345", "1,5 MiB"],
    ["fr", "5 mars 2026", "1 234 567", "1,2 M", "12 k", "1,5 MiB"],
    ["es", "5 mar 2026", "1.234.567", "1,2 M", "12 mil", "1,5 MiB"],
    ["zh-CN", "2026年3月5日", "1,234,567", "120万", "1.2万", "1.5 MiB"],
    ["ja", "2026年3月5日", "1,234,567", "120万", "1.2万", "1.5 MiB"],
  ])("in %s", (name, day, number, millions, thousands, size) => {
    const language = named(name);
    const written = [
      language.day(at),
      language.number(1_234_567),
      language.shortNumber(1_234_567),
      language.shortNumber(12_345),
      language.size(1.5 * 2 ** 20),
    ];
    expect(written.map((text) => text.replace(/[\u00a0\u202f]/g, " "))).toEqual([
      day,
      number,
      millions,
      thousands,
      size,
    ]);
  });

  test("a day is what Intl makes of it, in every language and month", () => {
    const locales = { en: "en-GB" } as Readonly<Record<string, string>>;
    for (const language of languages) {
      const intl = new Intl.DateTimeFormat(locales[language.name] ?? language.code, {
        day: "numeric",
        month: "short",
        year: "numeric",
        timeZone: "UTC",
      });
      for (let month = 0; month < 12; month++) {
        const moment = Date.UTC(1999, month, 1 + month * 2);
        expect(language.day(moment)).toBe(intl.format(moment));
      }
    }
  });
});

describe("messages", () => {
  const words = new Catalogue(
    {
      hello: "Hello, {name}.",
      commits: { one: "{count} commit by {name}", other: "{count} commits by {name}" },
      "area.taken": "{name} is taken.",
    } as const,
    {
      de: { hello: "Hallo, {name}.", commits: { one: "{count} Commit", other: "{count} Commits" }, "area.taken": "!" },
    },
  );

  test("names are filled in once: what a user typed is not a message", () => {
    const t = words.in(english);
    expect(t("hello", { name: "{name} <b>{count}" })).toBe("Hello, {name} <b>{count}.");
  });

  test("the form goes with the number, the number with the language", () => {
    expect(words.in(english)("commits", { count: 1, name: "ada" })).toBe("1 commit by ada");
    expect(words.in(english)("commits", { count: 12_000, name: "ada" })).toBe("12,000 commits by ada");
    expect(words.in(named("de"))("commits", { count: 12_000, name: "ada" })).toBe("12.000 Commits");
  });

  test("a language without these words says them in English", () => {
    expect(words.in(named("ja"))("hello", { name: "Yui" })).toBe("Hello, Yui.");
  });

  test("an error's code is looked up, and nothing that is no key", () => {
    expect(words.find(english, "area.taken", { name: "ada" })).toBe("ada is taken.");
    expect(words.find(english, "area.other", {})).toBeUndefined();
    expect(words.find(english, "constructor", {})).toBeUndefined();
  });
});
