import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { aRepo, aServer, aUser, type TestServer, type TestUser } from "../../builders.ts";
import { git, gitText, tempDir } from "../../git/objects/real-git.ts";
import { newSeed, random } from "../../random.ts";
import { mergeAgain } from "./merges-again.ts";

let server: TestServer;
let own: TestUser;
const dir = tempDir();
beforeAll(async () => {
  server = await aServer();
  own = await aUser(server, { login: "own" });
});
afterAll(async () => {
  await server.close();
  dir[Symbol.dispose]();
});

/** A history of branches that meet: edits, renames, deletions, criss-cross merges, some resolved by hand, one evil. */
function aHistory(): string {
  const path = join(dir.path, "history");
  const chance = random(newSeed());
  const int = (below: number) => Math.floor(chance() * below);
  const run = (...args: string[]) => git(["-C", path, ...args]);
  const commit = (files: Readonly<Record<string, string>>, message: string) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), text);
    }
    run("add", "-A");
    run("commit", "-q", "--allow-empty", "-m", message);
  };
  const begun = Array.from({ length: 60 }, (_, at) => `${at}\n`).join("");
  /** One line of a file that is there. */
  const edit = (mark: string) => {
    const names = gitText(["-C", path, "ls-files"]).trim().split("\n");
    const name = names[int(names.length)] ?? "a.txt";
    const lines = readFileSync(join(path, name), "utf8").split("\n");
    lines[int(lines.length)] = mark;
    return { [name]: lines.join("\n") };
  };
  git(["init", "-q", "-b", "main", path]);
  commit({ "a.txt": begun, "b/c.txt": begun, "d.txt": begun }, "begin");
  const tips = ["main", "left", "right"];
  for (const name of tips.slice(1)) run("branch", name);
  for (let round = 0; round < 24; round++) {
    const [to = "main", from = "left"] = [tips[int(3)], tips[int(3)]];
    run("checkout", "-q", to);
    commit(edit(`r${round}`), `edit ${round}`);
    if (round === 7) run("mv", "d.txt", "moved.txt");
    if (to === from) continue;
    const merged = git(["-C", path, "merge", "-q", "--no-ff", "-m", `merge ${round}`, from], { mayFail: true });
    if (merged.code === 0) {
      if (round % 6 !== 5) continue;
      writeFileSync(join(path, "evil.txt"), `${round}\n`);
      run("add", "-A");
      run("commit", "-q", "--amend", "--no-edit");
    } else {
      run("checkout", "-q", "--ours", ".");
      run("add", "-A");
      run("commit", "-q", "-m", `resolved ${round}`);
    }
  }
  return path;
}

test("every merge of a history, made once more through the API, is the merge of real git", async () => {
  const path = aHistory();
  const repo = aRepo(server, own.user);
  const host = { url: server.url.replace(/\/$/, ""), token: own.token, repo: `own/${repo.name}` };
  const found = await mergeAgain(host, path);
  expect(found.different).toEqual([]);
  expect(found.equal + found.conflicts + found.nothing).toBe(found.merges);
  expect(found.equal).toBeGreaterThan(0);
  expect(gitText(["-C", path, "rev-list", "--count", "--merges", "--all"]).trim()).toBe(String(found.merges));
}, 300_000);
