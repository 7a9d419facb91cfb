import { expect, test } from "bun:test";
import { hearth } from "./run.ts";

/** The lines under `Commands:`, by their first word. */
function commandsIn(help: string): string[][] {
  const listed = /Commands:\n([\s\S]*?)\n\n/.exec(help)?.[1] ?? "";
  return listed.split("\n").map((line) => line.trim().split(/ {2,}/));
}

const help = (...words: string[]) => hearth("/nonexistent", words);

test("help names every command and every group once, git among them, each with what it is for", async () => {
  for (const words of [["--help"], ["-h"]]) {
    const { code, out } = await help(...words);
    const commands = commandsIn(out);
    expect([words, code]).toEqual([words, 0]);
    expect(commands.map(([name]) => name)).toEqual([
      "serve",
      "config",
      "admin",
      "actions",
      "backup",
      "doctor",
      "routes",
      "version",
      "git",
    ]);
    for (const row of commands) expect(row).toHaveLength(2);
  }
});

test("help on a group lists its commands, and help on a command its options", async () => {
  const { code, out } = await help("admin", "--help");
  expect(code).toBe(0);
  const names = commandsIn(out).map(([name]) => name);
  expect(names).toContain("admin user create");
  expect(names.filter((name) => !name?.startsWith("admin "))).toEqual([]);
  expect((await help("admin", "user", "create", "--help")).out).toContain("--random-password");
  const unknown = await help("nothing", "--help");
  expect([unknown.code, unknown.err]).toEqual([1, 'Command error: there is no command "nothing"; see hearth --help\n']);
});
