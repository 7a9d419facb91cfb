import { afterAll, beforeAll, expect, test } from "bun:test";
import type { User } from "../../src/access/user.ts";
import { aRepo, aServer, aUser, call, type TestServer } from "../builders.ts";
import { aPageOf, type Visitor, wordsOf } from "./browser-calls.ts";

/** Patches, directories that move, and whose address a commit has, in the browser. */

let server: TestServer;
let ada: User;
let page: Visitor;
let token: string;
beforeAll(async () => {
  server = await aServer();
  const made = await aUser(server, { login: "ada" });
  ada = made.user;
  token = made.token;
  page = await aPageOf(server, ada);
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const files = { "README.md": "# One\n", "src/a.ts": "one\ntwo\n", "src/deep/b.txt": "b\n" };
const aLibrary = (): string => `/ada/${aRepo(server, ada, { files }).name}`;
const raw = async (path: string) => (await page.get(path)).text;
interface Commit {
  readonly commit: { message: string; author: { email: string }; committer: { email: string } };
}
const newest = async (repo: string) => {
  const found = await call<Commit[]>(server, "GET", `/api/v1/repos${repo}/commits?limit=1`, { token });
  const [newest] = found.body;
  if (!newest) throw new Error("there is no commit");
  return newest.commit;
};

const PATCH = `diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,2 +1,2 @@
 one
-two
+three
`;

test("a patch that is pasted becomes a commit, with the line ends a browser sends", async () => {
  const repo = aLibrary();
  expect(wordsOf((await page.get(`${repo}/_diffpatch/main/`)).text)).toContain("Apply a patch");
  expect((await page.get(`${repo}/src/branch/main/src`)).text).toContain(`href="${repo}/_diffpatch/main/src"`);
  const made = await page.post(`${repo}/_diffpatch/main/src`, {
    content: PATCH.replaceAll("\n", "\r\n"),
    commit_summary: "Count on",
    signoff: "on",
  });
  expect([made.status, made.location]).toEqual([303, `${repo}/src/branch/main/src`]);
  expect(await raw(`${repo}/raw/branch/main/src/a.ts`)).toBe("one\nthree\n");
  expect((await newest(repo)).message).toBe("Count on\n\nSigned-off-by: ada <ada@example.org>\n");
  const other = { content: PATCH.replace("-two", "-three").replace("+three", "+four") };
  const apart = { ...other, commit_choice: "commit-to-new-branch", new_branch_name: "apart" };
  expect((await page.post(`${repo}/_diffpatch/main/`, apart)).location).toBe(`${repo}/compare/main...apart`);
  expect(await raw(`${repo}/raw/branch/main/src/a.ts`)).toBe("one\nthree\n");
});

test("a patch that does not fit is shown again with the reason, and nothing of it is stored", async () => {
  const repo = aLibrary();
  for (const content of [
    "",
    "no patch",
    PATCH.replace("-two", "-nothing"),
    PATCH.replaceAll("src/a.ts", ".git/config"),
    PATCH.replaceAll("src/a.ts", "../../etc/passwd"),
    "<script>x</script>\u0000",
  ]) {
    const refused = await page.post(`${repo}/_diffpatch/main/`, { content });
    expect([content.slice(0, 20), refused.status]).toEqual([content.slice(0, 20), 422]);
    expect(refused.text).not.toContain("<script>x");
  }
  expect((await page.post(`${repo}/_diffpatch/nowhere/`, { content: PATCH })).status).toBe(404);
  expect((await newest(repo)).message).not.toContain("Apply");
  const empty = `/ada/${aRepo(server, ada, {}).name}`;
  expect((await page.get(`${empty}/_diffpatch/main/`)).status).toBe(404);
});

test("a directory moves with all that is in it", async () => {
  const repo = aLibrary();
  expect((await page.get(`${repo}/src/branch/main/src`)).text).toContain(`href="${repo}/_edit/main/src"`);
  expect(wordsOf((await page.get(`${repo}/_edit/main/src`)).text)).toContain("Rename or move src");
  const moved = await page.post(`${repo}/_edit/main/src`, { tree_path: "lib/core" });
  expect([moved.status, moved.location]).toEqual([303, `${repo}/src/branch/main/lib/core`]);
  expect(await raw(`${repo}/raw/branch/main/lib/core/deep/b.txt`)).toBe("b\n");
  expect((await page.get(`${repo}/src/branch/main/src`)).status).toBe(404);
  // Below itself, and back.
  expect((await page.post(`${repo}/_edit/main/lib`, { tree_path: "lib/inner" })).status).toBe(303);
  expect(await raw(`${repo}/raw/branch/main/lib/inner/core/a.ts`)).toBe("one\ntwo\n");
  expect((await page.post(`${repo}/_edit/main/lib/inner`, { tree_path: "all" })).status).toBe(303);
  expect((await page.get(`${repo}/src/branch/main/lib`)).status).toBe(404);
});

test("a directory moves to no place that is taken, impossible or its own", async () => {
  const repo = aLibrary();
  for (const path of ["", "README.md", "README.md/x", "src/deep", "src", "a/../b", ".git/x", "a//b"]) {
    const refused = await page.post(`${repo}/_edit/main/src`, { tree_path: path });
    expect([path, refused.status]).toEqual([path, 422]);
  }
  expect(await raw(`${repo}/raw/branch/main/src/deep/b.txt`)).toBe("b\n");
});

test("a commit has one of the author's own confirmed addresses, and no one else's", async () => {
  const repo = aLibrary();
  await aUser(server, { login: "bob" });
  const added = { emails: ["second@example.com"] };
  expect((await call(server, "POST", "/api/v1/user/emails", { token, body: added })).status).toBe(201);
  const form = await page.get(`${repo}/_edit/main/README.md`);
  expect(form.text).toContain('name="commit_email"');
  expect(form.text).toContain("second@example.com");
  const edit = { tree_path: "README.md", content: "# Two\n", last_commit: "" };
  for (const commit_email of ["bob@example.org", "nobody@example.org", "<x>"]) {
    const refused = await page.post(`${repo}/_edit/main/README.md`, { ...edit, commit_email });
    expect([commit_email, refused.status]).toEqual([commit_email, 422]);
    expect(wordsOf(refused.text)).toContain("Choose one of your own confirmed addresses.");
  }
  const made = await page.post(`${repo}/_edit/main/README.md`, {
    ...edit,
    commit_email: "second@example.com",
    signoff: "on",
  });
  expect(made.status).toBe(303);
  const { author, committer, message } = await newest(repo);
  expect([author.email, committer.email]).toEqual(["second@example.com", "second@example.com"]);
  expect(message).toContain("Signed-off-by: ada <second@example.com>");
});
