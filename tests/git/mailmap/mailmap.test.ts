import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Mailmap } from "../../../src/git/mailmap/mailmap.ts";
import { decodeName } from "../../../src/git/objects/names.ts";
import { newSeed, random } from "../../random.ts";
import { git, tempDir } from "../objects/real-git.ts";

const WORDS = ["Jane", "JANE", "Joe R.", "", " ", "\t", "Ünï", "ÜNÏ", "#", "a\\b", '"q"'];
const MAILS = ["a@x", "A@X", "b@y", "", "ü@z", "Ü@z", "x y", " a@x "];

test("persons are mapped as git maps them", () => {
  using dir = tempDir();
  const seed = newSeed();
  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  git(["init", "-q", "--bare", dir.path]);
  const path = join(dir.path, "map");
  for (let round = 0; round < 60; round++) {
    const person = () => `${pick(WORDS)}${pick(["", " "])}<${pick(MAILS)}>`;
    const lines = Array.from({ length: 1 + Math.floor(next() * 6) }, () =>
      pick([
        () => person(),
        () => person(),
        () => `${person()} ${person()}`,
        () => `${person()}${person()} # more`,
        () => `  ${person()}\r`,
        () => `# ${person()}`,
        () => ` # ${person()}`,
        () => `${pick(WORDS)} <open`,
        () => "",
      ])(),
    );
    const text = lines.join("\n") + pick(["", "\n"]);
    writeFileSync(path, text);
    const mailmap = new Mailmap(text);
    const asked = Array.from({ length: 30 }, () => ({ name: pick(WORDS).trim(), email: pick(MAILS).trim() }));
    const { stdout } = git(["-C", dir.path, "-c", `mailmap.file=${path}`, "check-mailmap", "--stdin"], {
      input: asked.map(({ name, email }) => `${name} <${email}>\n`).join(""),
    });
    const expected = decodeName(stdout).split("\n").slice(0, -1);
    const found = asked.map(({ name, email }) => {
      const mapped = mailmap.map(name, email);
      return mapped.name === "" ? `<${mapped.email}>` : `${mapped.name} <${mapped.email}>`;
    });
    expect({ text, asked, found }).toEqual({ text, asked, found: expected });
  }
});
