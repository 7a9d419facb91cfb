import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { aRepo, aServer, aUser, type TestServer, type TestUser } from "../builders.ts";
import { git, gitText, tempDir } from "../git/objects/real-git.ts";
import { aPage, type Visitor, wordsOf } from "./browser-calls.ts";

/** Who brought each line, on a page: against real git, with changes that are passed over, and from change to change. */

let server: TestServer;
let ada: TestUser;
let anybody: Visitor;
let commits: string[];
let formatted: string;

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada", email: "ada@example.org" });
  aRepo(server, ada.user, { name: "engine" });
  aRepo(server, ada.user, { name: "vault", isPrivate: true, files: { "a.txt": "a\n" } });
  anybody = aPage(server);
  using work = tempDir();
  const dir = join(work.path, "engine");
  git(["init", "-q", "-b", "main", dir]);
  const commit = async (message: string, files: Record<string, string | Uint8Array>, email = "ada@example.org") => {
    for (const [path, content] of Object.entries(files)) await Bun.write(join(dir, path), content);
    git(["-C", dir, "add", "-A"]);
    git(["-C", dir, "-c", `user.email=${email}`, "-c", "user.name=Ada", "commit", "-q", "-m", message]);
    return gitText(["-C", dir, "rev-parse", "HEAD"]);
  };
  commits = [await commit("Lay the <foundations>", { "old.ts": "one\ntwo\nthree\nfour\n" })];
  git(["-C", dir, "mv", "old.ts", "engine.ts"]);
  commits.push(await commit("Name it", {}));
  commits.push(await commit("Better two", { "engine.ts": "one\ntwo!\nthree\nfour\n" }, "bob@example.org"));
  formatted = await commit("Format", { "engine.ts": "  one\n  two!\n  three\n  four\n" });
  await commit("Pass over it", {
    ".git-blame-ignore-revs": `# formatting\n${formatted} # all\nnonsense\n${"0".repeat(40)}\n`,
    "binary.bin": new Uint8Array([0, 1, 2, 3]),
    empty: "",
    "crlf.txt": "a\r\nb\r\n",
  });
  const address = `${server.url.replace("//", `//ada:${ada.token}@`)}ada/engine.git`;
  expect(await Bun.spawn(["git", "-C", dir, "push", "-q", address, "main"]).exited).toBe(0);
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

/** The commit of each block and the numbers of its lines. */
function blocksOf(html: string): [sha: string, lines: string[]][] {
  return html
    .split('<div class="blame-block')
    .slice(1)
    .map((block) => [
      /\/commit\/([0-9a-f]+)"/.exec(block)?.[1] ?? "",
      [...block.matchAll(/id="L(\d+)"/g)].map(([, number]) => number!),
    ]);
}
const page = (path: string) => anybody.get(`/ada/engine/blame/${path}`);

test("lines stand beside the commits that brought them, and listed changes are passed over", async () => {
  const { status, text } = await page("branch/main/engine.ts");
  expect(status).toBe(200);
  expect(blocksOf(text)).toEqual([
    [commits[0]!, ["1"]],
    [commits[2]!, ["2"]],
    [commits[0]!, ["3", "4"]],
  ]);
  expect(text).toContain("Lay the &lt;foundations&gt;");
  expect(wordsOf(text)).toContain("The change listed in .git-blame-ignore-revs is passed over");
  expect(text).toContain('href="/ada/engine/blame/branch/main/engine.ts?bypass-blame-ignore=true"');
});

test("they count when that is asked for", async () => {
  const { text } = await page("branch/main/engine.ts?bypass-blame-ignore=true");
  expect(blocksOf(text)).toEqual([[formatted, ["1", "2", "3", "4"]]]);
  expect(text).toContain('href="/ada/engine/blame/branch/main/engine.ts"');
});

test("one goes back before a change, under the file's former name", async () => {
  const { text } = await page("branch/main/engine.ts");
  expect(text).toContain(`href="/ada/engine/blame/commit/${commits[1]}/engine.ts#L2"`);
  const before = await page(`commit/${commits[1]}/engine.ts`);
  expect(blocksOf(before.text)).toEqual([[commits[0]!, ["1", "2", "3", "4"]]]);
  expect(before.text).not.toContain("blame-before");
  expect((await page(`commit/${commits[0]}/old.ts`)).status).toBe(200);
});

test("what has no lines leads to its page, what is no file is not there", async () => {
  for (const name of ["binary.bin", "empty"]) {
    const { status, headers } = await page(`branch/main/${name}`);
    expect([status, headers.get("location")]).toEqual([303, `/ada/engine/src/branch/main/${name}`]);
  }
  for (const path of [
    "branch/main",
    "branch/main/none",
    "branch/none/engine.ts",
    "tag/main/engine.ts",
    "commit/0000000/engine.ts",
  ])
    expect((await page(path)).status).toBe(404);
  expect((await anybody.get("/ada/vault/blame/branch/main/a.txt")).status).toBe(404);
  const moved = await page("main/engine.ts");
  expect([moved.status, moved.headers.get("location")]).toEqual([303, "/ada/engine/blame/branch/main/engine.ts"]);
  expect(blocksOf((await page("branch/main/crlf.txt")).text)[0]?.[1]).toEqual(["1", "2"]);
});

test("a file of text offers it", async () => {
  expect((await anybody.get("/ada/engine/src/branch/main/engine.ts")).text).toContain(
    'href="/ada/engine/blame/branch/main/engine.ts"',
  );
  expect((await anybody.get("/ada/engine/src/branch/main/binary.bin")).text).not.toContain("/blame/");
});
