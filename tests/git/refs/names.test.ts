import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { compareRefNames, isPushableRefName, isRefName } from "../../../src/git/refs/names.ts";
import { newSeed, random } from "../../random.ts";
import { aFolder, git, removeFolders } from "../transport/server.ts";

// Real git is started many times, on machines that may be busy.
setDefaultTimeout(600_000);

afterAll(removeFolders);

const CASES: [name: string, valid: boolean][] = [
  ["refs/heads/main", true],
  ["refs/heads/a/b", true],
  ["refs/heads/ünï–雪", true],
  ["refs/heads/-dash", true],
  ["refs/heads/@", true],
  ["refs/heads/a@b", true],
  ["refs/heads/x.lock.y", true],
  ["refs", false],
  ["@", false],
  ["", false],
  ["refs/heads/", false],
  ["/refs/heads/a", false],
  ["refs//heads", false],
  ["refs/heads/.a", false],
  ["refs/.heads/a", false],
  ["refs/heads/a.lock", false],
  ["refs/a.lock/b", false],
  ["refs/heads/a..b", false],
  ["refs/heads/a.", false],
  ["refs/heads/a@{1}", false],
  ["refs/heads/a b", false],
  ["refs/heads/a~1", false],
  ["refs/heads/a^", false],
  ["refs/heads/a:b", false],
  ["refs/heads/a?", false],
  ["refs/heads/a*", false],
  ["refs/heads/a[", false],
  ["refs/heads/a\\b", false],
  ["refs/heads/a\x7f", false],
  ["refs/heads/a\tb", false],
];

test("names are judged by git's rules", () => {
  for (const [name, valid] of CASES) expect([name, isRefName(name)]).toEqual([name, valid]);
  expect(isRefName("main", { allowOneLevel: true })).toBe(true);
});

test("random names are judged as git check-ref-format judges them", async () => {
  const next = random(newSeed());
  const below = (limit: number) => Math.floor(next() * limit);
  const parts = [
    "a",
    "b",
    "/",
    "/",
    ".",
    "..",
    ".lock",
    "@",
    "@{",
    "{",
    "~",
    "^",
    ":",
    "?",
    "*",
    "[",
    "\\",
    " ",
    "é",
    "-",
  ];
  const dir = aFolder();
  const names = Array.from({ length: 60 }, () =>
    Array.from({ length: 1 + below(6) }, () => parts[below(parts.length)])
      .join("")
      // git would take it for an option.
      .replace(/^-/, "x"),
  );
  const judged = await Promise.all(names.map(async (name) => (await git(dir, ["check-ref-format", name])).code === 0));
  expect(names.map((name) => [name, isRefName(name)])).toEqual(names.map((name, at) => [name, judged[at]!]));
});

test("a push may name refs below refs/, with one level only to delete it", () => {
  expect(isPushableRefName("refs/heads/a", false)).toBe(true);
  expect(isPushableRefName("refs/a", false)).toBe(false);
  expect(isPushableRefName("refs/a", true)).toBe(true);
  for (const name of ["HEAD", "heads/a", "refs/", "refs/heads/../x", "refs/heads/a.lock"])
    expect(isPushableRefName(name, true)).toBe(false);
});

test("order is that of the names' UTF-8 bytes", () => {
  const names = ["refs/a", "refs/a/b", "refs/a-b", "refs/\u{1F600}", "refs/\uFFFD", "refs/é", "refs/z"];
  const bytes = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  expect(names.toSorted(compareRefNames)).toEqual(bytes);
});
