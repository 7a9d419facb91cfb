import { expect, test } from "bun:test";
import { join } from "node:path";
import { type Found, hostileTexts, regularExpressionsIn, slowestMs } from "./regular-expressions.ts";

/**
 * No regular expression of ours takes quadratic time on a text that somebody sends: JavaScript's matcher goes back, and
 * a few kilobytes are then seconds of the thread that serves everybody.
 */

const root = join(import.meta.dir, "../..");
/** Texts as long as this tell what may be slow, on any machine: a linear search takes a tenth of a millisecond. */
const LENGTH = 8000;
const SUSPECT_MS = 5;
/** Texts as long as this tell what is: a linear search takes half a millisecond, a quadratic one most of a second. */
const LONG = 3 * LENGTH;
const LIMIT_MS = 60;

/** Expressions that only ever see short texts, and what keeps those short. */
const BOUNDED: Readonly<Record<string, string>> = {
  "src/git/apply/names.ts [ \\t]+\\d{2,4}-\\d{1,2}-\\d{1,2} \\d{1,2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?: [+-]\\d{2}:?\\d{2}| UTC| Z)?\\s*$":
    "MAX_DATE",
  "src/git/patterns/posix.ts ^\\d*,?\\d*\\}": "MAX_COUNT",
  "src/git/patterns/posix.ts \\{\\d*,?\\d*$": "MAX_COUNT",
  "src/git/languages/table.ts ^#!\\s*(\\S+)(.*)$": "MAX_SHEBANG",
  "src/git/objects/signature.ts (-?\\d+)(?:\\s+([+-])(\\d+))?\\s*$": "MAX_DATE_CHARACTERS",
  "src/packages/registries/swift/parse.ts (\\.0)+$": "three numbers of nine digits",
  "src/outbound/target.ts %.*$": "an address that the system's resolver answered",
  "src/references/marks.ts <[^>]*>|[^<]+": "HTML of the sanitiser, whose every element is closed",
  "src/references/marks.ts >[^<]*<\\/a>$": "one link of the sanitiser's, whose text has no mark of an element",
  "web/language.ts \\{(\\w+)\\}|<(\\w+)>(.*?)<\\/\\2>": "sentences of our own catalogues",
};

const nameOf = ({ file, source }: Found) => `${file} ${source}`;

async function allExpressions(): Promise<Found[]> {
  const found: Found[] = [];
  for (const folder of ["src", "web"])
    for await (const file of new Bun.Glob("**/*.{ts,tsx}").scan(join(root, folder))) {
      const path = `${folder}/${file}`;
      found.push(...regularExpressionsIn(path, await Bun.file(join(root, path)).text()));
    }
  return found.filter(isExpression);
}

/** What the text of an element looks like may be none. */
function isExpression({ source, flags }: Found): boolean {
  try {
    return new RegExp(source, flags) !== undefined;
  } catch {
    return false;
  }
}

test("no regular expression of src and web goes quadratic", async () => {
  const all = await allExpressions();
  expect(all.length).toBeGreaterThan(400);
  const slow: string[] = [];
  for (const expression of all) {
    if (BOUNDED[nameOf(expression)] !== undefined) continue;
    // A second time, because a pause of the machine is no fault of the pattern's.
    const isSlow = (length: number, limitMs: number) => {
      const texts = hostileTexts(expression.source, length);
      return slowestMs(expression, texts, limitMs) > limitMs && slowestMs(expression, texts, limitMs) > limitMs;
    };
    if (isSlow(LENGTH, SUSPECT_MS) && isSlow(LONG, LIMIT_MS))
      slow.push(`${expression.file}:${expression.line} /${expression.source}/`);
  }
  expect(slow).toEqual([]);
}, 180_000);

test("the exceptions are still there", async () => {
  const present = new Set((await allExpressions()).map(nameOf));
  expect(Object.keys(BOUNDED).filter((name) => !present.has(name))).toEqual([]);
});

test.each([
  ["/+$", ""],
  ["^([^=:]+?)\\s*[=:]\\s*(.*)$", ""],
  ["(a+)+$", ""],
  ["\\s+[#;].*$", ""],
])("the search finds what is wrong with /%s/", (source, flags) => {
  const found = { file: "x", line: 1, source: source.replace("/+", "\\/+"), flags };
  expect(slowestMs(found, hostileTexts(found.source, source === "(a+)+$" ? 26 : LONG), LIMIT_MS)).toBeGreaterThan(
    LIMIT_MS,
  );
});

test("expressions are told from divisions, texts and comments", () => {
  const text = [
    "const a = b / c / d; // /no/",
    ["const t = '/no/'; const u = `/$", "{x / 2}/no/`;"].join(""),
    "const r = /a[/]b/gi; if (/\\/x/.test(y)) z = q.replace(/ab+/, '');",
    "return /end$/m;",
  ].join("\n");
  expect(regularExpressionsIn("x.ts", text).map(({ source, flags, line }) => [source, flags, line])).toEqual([
    ["a[/]b", "gi", 3],
    ["\\/x", "", 3],
    ["ab+", "", 3],
    ["end$", "m", 4],
  ]);
});
