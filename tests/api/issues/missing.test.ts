import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, aRepo, aServer, aUser, call, type TestServer, type TestUser } from "../../builders.ts";

/** What is missing is named where clients know it by its words (recorded exchanges with Gitea 1.27). */

let server: TestServer;
let ada: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

test("an item, a comment, a commit, a file and an account that are not there are named", async () => {
  const { id, name } = aRepo(server, ada.user, { files: { "a.txt": "a\n" } });
  const commit = "0123456789012345678901234567890123456789";
  const issue = `issue does not exist [id: 0, repo_id: ${id}, index: 99]`;
  const comment = "comment does not exist [id: 77, issue_id: 0]";
  const cases: readonly [method: string, path: string, message: string, body?: unknown][] = [
    ["DELETE", "issues/99", issue],
    ["GET", "issues/99/assets", issue],
    ["POST", "issues/99/assignees", issue, { assignees: [] }],
    ["GET", "issues/99/assignees/ada", issue],
    ["GET", "issues/99/blocks", issue],
    ["POST", "issues/99/dependencies", issue, { index: 1 }],
    ["PUT", "issues/99/lock", issue, {}],
    ["GET", "issues/99/times", issue],
    ["POST", "issues/99/times", issue, { time: 1 }],
    ["GET", "issues/99", "not found"],
    ["GET", "issues/99/labels", "not found"],
    ["GET", "issues/comments/77", comment],
    ["PATCH", "issues/comments/77", comment, { body: "x" }],
    ["DELETE", "issues/comments/77", comment],
    ["GET", "issues/comments/77/assets", "no matching issue comment found"],
    ["POST", "pulls/comments/77/resolve", comment],
    ["GET", "assignees/nobody", "user does not exist [uid: 0, name: nobody]"],
    ["GET", "commits/nope/status", "object does not exist [id: nope, rel_path: ]"],
    ["GET", "editorconfig/x.go", "object does not exist [id: , rel_path: .editorconfig]"],
    [
      "GET",
      `commits/${commit}/pull`,
      `pull request does not exist [id: 0, issue_id: 0, head_repo_id: 0, base_repo_id: ${id}, head_branch: , base_branch: ]`,
    ],
  ];
  for (const [method, path, message, body] of cases) {
    const answer = await api<{ message: string }>(method, `/repos/ada/${name}/${path}`, ada, body);
    expect([method, path, answer.status, answer.body.message]).toEqual([method, path, 404, message]);
  }
});

test("an account that an administrator names, and a task, are named as they were asked for", async () => {
  const root = await aUser(server, { login: "root", isAdmin: true });
  const made = await api<{ message: string }>("POST", "/admin/users/nobody/repos", root, { name: "x" });
  expect([made.status, made.body.message]).toEqual([404, "user redirect does not exist [name: nobody]"]);
  const task = await api<{ message: string }>("POST", "/admin/cron/nosuch", root);
  expect([task.status, task.body.message]).toEqual([404, "not found"]);
  const closed = aRepo(server, ada.user, { isPrivate: true });
  // Who may not see the repository learns nothing of what is in it.
  const hidden = await call<{ message: string }>(server, "GET", `/api/v1/repos/ada/${closed.name}/issues/1/assets`);
  expect([hidden.status, hidden.body.message]).toEqual([404, "not found"]);
});
