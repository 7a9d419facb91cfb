import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Config } from "../../../src/git/config/config.ts";
import { parseGitmodules } from "../../../src/git/config/gitmodules.ts";
import { encodeName } from "../../../src/git/objects/names.ts";
import { newSeed, random } from "../../random.ts";
import { git, tempDir } from "../objects/real-git.ts";

const HEADERS = [
  "[a]",
  "[A.B]",
  '[a "b"]',
  '[a "B\\"c\\\\d\\x"]',
  "[ a]",
  '[a"b"]',
  '[a  "b" ]',
  "[a.]",
  "[]",
  '[a ""]',
  '[a "ü"]',
  "[x-1]",
  "[a",
  '[a "b\n"]',
];
const LINES = [
  "k = v",
  "K=V",
  "k",
  "k =",
  "multi-1 = a b  c  ",
  'q = "a # b" ; c',
  'q = " x "y" z "',
  "c = a \\\n  b",
  'e = \\t\\n\\b\\"\\\\',
  "e = \\q",
  'u = "open',
  "# comment",
  "; comment",
  "  k = v # c",
  "1k = v",
  "k_x = v",
  "k v",
  "= v",
  "k = v\r",
  "n = 10k",
  "n = -0x1F",
  "n = 010",
  "n = 1x",
  "b = Yes",
  "b = off",
  "b = 2",
  "",
  "k = ü\xfe",
  "k = v \\",
  "[b] k = v",
];

test("settings are git's", () => {
  using dir = tempDir();
  const seed = newSeed();
  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  git(["init", "-q", "--bare", dir.path]);
  const path = join(dir.path, "c.cfg");
  const ask = (words: string[]) => git(["-C", dir.path, "config", "-f", path, ...words], { mayFail: true });
  for (let round = 0; round < 80; round++) {
    const lines = [
      pick(HEADERS.slice(0, 4)),
      ...Array.from({ length: Math.floor(next() * 6) }, () => pick(next() < 0.3 ? HEADERS : LINES)),
    ];
    const lineEnd = pick(["\n", "\n", "\r\n"]);
    const body = Buffer.from(lines.join(lineEnd) + pick(["", "\n"]), next() < 0.5 ? "utf8" : "latin1");
    const data = Buffer.concat([Buffer.from(next() < 0.1 ? "\ufeff" : ""), body]);
    writeFileSync(path, data);
    const expected = ask(["--list", "-z"]);
    let found: string | undefined;
    let config: Config | undefined;
    try {
      config = Config.parse(data);
      found = config.entries.map(({ name, value }) => `${name}${value === undefined ? "" : `\n${value}`}\0`).join("");
    } catch {
      found = undefined;
    }
    const shown = found === undefined ? "refused" : Buffer.from(encodeName(found)).toString("latin1");
    const text = data.toString("latin1");
    expect({ text, shown }).toEqual({
      text,
      shown: expected.code === 0 ? expected.stdout.toString("latin1") : "refused",
    });
    for (const name of ["a.n", "a.b", "a.k", "A.b.N"]) {
      for (const type of ["int", "bool"] as const) {
        const answer = config && ask(["--type", type, name]);
        // Of several values git examines each.
        if (!config || !answer || config.all(name).length > 1) continue;
        let value: string | undefined;
        try {
          value = String((type === "int" ? config.integer(name) : config.boolean(name)) ?? "");
        } catch {
          value = "";
        }
        expect({ text, name, type, value }).toEqual({ text, name, type, value: answer.stdout.toString().trim() });
      }
    }
  }
});

test("submodules are told without what is dangerous", () => {
  const text = `[submodule "a"]\n path = lib/a/\n url = ../a.git\n branch = .\n update = rebase\n[submodule "a"]\n path = other\n[submodule "../x"]\n path = x\n[submodule "b"]\n path = -b\n url = -u\n update = !rm\n[submodule "c"]\n path = .GIT/x\n[submodule "d"]\n url = https://x/\n bad line here\n[submodule "e"]\n`;
  expect(parseGitmodules(Buffer.from(text))).toEqual([
    { name: "a", path: "lib/a", url: "../a.git", branch: ".", update: "rebase" },
    { name: "b" },
    { name: "c" },
    { name: "d", url: "https://x/" },
  ]);
});
