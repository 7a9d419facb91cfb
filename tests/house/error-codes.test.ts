import { expect, test } from "bun:test";
import { join } from "node:path";
import { areas } from "../../src/areas.ts";
import { frameErrorWords } from "../../src/http/error-words.ts";
import { errorMessages } from "../../src/messages.ts";

/**
 * What services refuse has a code (`repository.name-taken`), and the API has words for every code: a sentence thrown in
 * place of a code would reach pages in English and could never change.
 */

const root = join(import.meta.dir, "../..");
const messages = errorMessages();

const THROWN =
  /new (?:ValidationFailed|Conflict|Forbidden|NotFound|TooLarge|Unauthorised|BadRequest|Locked|TooManyRequests|Overloaded|InsufficientStorage)\(\s*("(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)/g;
const CODE = /^"[a-z-]+\.[a-z0-9-]+"$/;

interface Thrown {
  readonly file: string;
  readonly text: string;
}

const thrown: Thrown[] = [];
for await (const file of new Bun.Glob("{src,web,cli}/**/*.{ts,tsx}").scan(root)) {
  const source = await Bun.file(join(root, file)).text();
  for (const [, text = ""] of source.matchAll(THROWN)) thrown.push({ file, text });
}

test("failures are thrown with codes, never with sentences", () => {
  const sentences = thrown.filter(({ text }) => !CODE.test(text) && !/^`[a-z-]+\.[a-z-]*\$\{[\w.]+\}`$/.test(text));
  expect(sentences.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
});

test("no two areas have words for one code", () => {
  const codes = [frameErrorWords, ...areas.map(({ errorWords }) => errorWords ?? {})].flatMap((words) =>
    Object.keys(words),
  );
  expect(codes.filter((code, at) => codes.indexOf(code) !== at)).toEqual([]);
});

test("the API has words for every code", () => {
  const codes = thrown
    .filter(({ text }) => CODE.test(text))
    .map(({ file, text }) => ({ file, code: text.slice(1, -1) }));
  expect(codes.length).toBeGreaterThan(100);
  expect(codes.filter(({ code }) => !messages.has(code)).map(({ file, code }) => `${file}: ${code}`)).toEqual([]);
});
