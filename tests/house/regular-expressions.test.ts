import { expect, test } from "bun:test";
import { join } from "node:path";
import { type Found, hostileTexts, regularExpressionsIn, slowestMs } from "./regular-expressions.ts";

/**
 * No regular expression of ours takes quadratic time on a text that somebody sends: JavaScript's matcher goes back, and
 * a few kilobytes are then seconds of the thread that serves everybody.
 */

const root = join(import.meta.dir, "../..");
const LENGTH = 8000;
/** A linear search of such a text takes a tenth of a millisecond, a quadratic one a tenth of a second. */
const LIMIT_MS = 40;

/** Expressions that only ever see short texts, and what keeps those short. */
const BOUNDED: Readonly<Record<string, string>> = {
  "src/git/apply/names.ts [ \\t]+\\d{2,4}-\\d{1,2}-\\d{1,2} \\d{1,2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?: [+-]\\d{2}:?\\d{2}| UTC| Z)?\\s*$":
    "MAX_DATE",
  "src/git/patterns/posix.ts ^\\d*,?\\d*\\}": "MAX_COUNT",
  "src/git/patterns/posix.ts \\{\\d*,?\\d*$": "MAX_COUNT",
  "src/git/languages/table.ts ^#!\\s*(\\S+)(.*)$": "MAX_SHEBANG",
  "src/git/objects/signature.ts (-?\\d+)(?:\\s+([+-])(\\d+))?\\s*$": "MAX_DATE_CHARACTERS",
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
    const texts = hostileTexts(expression.source, LENGTH);
    // A second time, because a pause of the machine is no fault of the pattern's.
    const ms = () => slowestMs(expression, texts, LIMIT_MS);
    if (ms() > LIMIT_MS && ms() > LIMIT_MS) slow.push(`${expression.file}:${expression.line} /${expression.source}/`);
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
  expect(slowestMs(found, hostileTexts(found.source, source === "(a+)+$" ? 24 : 3 * LENGTH), LIMIT_MS)).toBeGreaterThan(
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
