import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, aRepo, aServer, aUser, type TestServer, type TestUser } from "../../builders.ts";

let server: TestServer;
let own: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  own = await aUser(server, { login: "own" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const textOf = (lines: string[]): string => `${lines.join("\n")}\n`;

test("the hunk of a comment has the header of the diff until lines before it are cut off", async () => {
  const before = ["a", "b", "c", "d", "e", "f", "g"];
  aRepo(server, own.user, { name: "engine", files: { "a.txt": textOf(before) } });
  const at = "/repos/own/engine";
  const file = await api<{ sha: string }>("GET", `${at}/contents/a.txt`, own);
  const changed = textOf(["a", "B", "c", "d", "e", "F", "g", "h"]);
  const content = Buffer.from(changed).toString("base64");
  const edit = { content, sha: file.body.sha, branch: "main", new_branch: "work" };
  expect((await api("PUT", `${at}/contents/a.txt`, own, edit)).status).toBe(200);
  const pull = await api<{ number: number }>("POST", `${at}/pulls`, own, { title: "Work", head: "work", base: "main" });
  const reviews = `${at}/pulls/${pull.body.number}/reviews`;
  const hunkOf = async (place: { new_position?: number; old_position?: number }): Promise<string | undefined> => {
    const comments = [{ path: "a.txt", body: "why", ...place }];
    const review = await api<{ id: number }>("POST", reviews, own, { event: "COMMENT", comments });
    const said = await api<{ diff_hunk: string }[]>("GET", `${reviews}/${review.body.id}/comments`, own);
    return said.body[0]?.diff_hunk;
  };
  expect(await hunkOf({ old_position: 2 })).toBe("@@ -1,7 +1,8 @@\n a\n-b");
  expect(await hunkOf({ new_position: 2 })).toBe("@@ -1,7 +1,8 @@\n a\n-b\n+B");
  expect(await hunkOf({ new_position: 6 })).toBe("@@ -3,4 +3,4 @@\n c\n d\n e\n-f\n+F");
});
