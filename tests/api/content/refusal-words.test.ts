import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, aRepo, aServer, aUser, type TestServer, type TestUser } from "../../builders.ts";

let server: TestServer;
let ada: TestUser;
let tip: string;
const api = anApi(() => server);
const book = "/repos/ada/book";

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  const repo = aRepo(server, ada.user, { name: "book", files: { "a.txt": "a\n" } });
  tip = server.services.refs.find(repo.id, "refs/heads/main")?.oid ?? "";
});
afterAll(() => server.close());

const nobody = "0".repeat(40);

test.each([
  ["commits/nope/status", 404, "object does not exist [id: nope, rel_path: ]"],
  ["commits/nope/statuses", 404, "object does not exist [id: nope, rel_path: ]"],
  [`statuses/${nobody}`, 404, `object does not exist [id: ${nobody}, rel_path: ]`],
  ["statuses/main", 404, "object does not exist [id: main, rel_path: ]"],
  ["editorconfig/x.go", 404, "object does not exist [id: , rel_path: .editorconfig]"],
  ["raw/nope", 404, "not found"],
  ["media/nope/deeper", 404, "not found"],
  ["raw/a/.git/x", 400, "path contains a malformed path component [path: a/.git/x]"],
  ["compare/main^{/x}...main", 400, 'unsupported ref suffix "^{/x}"'],
  ["compare/main...nobody-here:main", 404, "not found"],
  ["compare/main...main@{1}", 400, 'unsupported ref suffix "@{1}"'],
])("GET %s says why in the words clients know", async (path, status, message) => {
  const answer = await api("GET", `${book}/${path}`, ada);
  expect([answer.status, answer.body["message"]]).toEqual([status, message]);
});

test("a commit without a note is told as one that is not there", async () => {
  const answer = await api("GET", `${book}/git/notes/${tip}`, ada);
  expect([answer.status, answer.body["message"]]).toEqual([404, `commit doesn't exist: ${tip}`]);
});

test("a tag that is not there is not deleted, and is not found", async () => {
  const answer = await api("DELETE", `${book}/tags/none`, ada);
  expect([answer.status, answer.body["message"]]).toEqual([404, "not found"]);
});

test.each([
  [{ author: { name: "x".repeat(101) } }, "[Name]: MaxSize"],
  [{ committer: { email: "x".repeat(255) } }, "[Email]: MaxSize"],
  [{ files: [{ path: "b.txt" }] }, "[Operation]: Required"],
  [{ files: [{ operation: "create" }] }, "[Path]: Required"],
  [{ files: [{ operation: "create", path: "x".repeat(501) }] }, "[Path]: MaxSize"],
])("several files are refused for what a nested field lacks or has too much of: case %#", async (fields, message) => {
  const body = { files: [{ operation: "create", path: "b.txt", content: "" }], ...fields };
  const answer = await api("POST", `${book}/contents`, ada, body);
  expect([answer.status, answer.body["message"]]).toEqual([422, message]);
});

test("a nested field that is null is one that was left out", async () => {
  const files = [{ operation: "create", path: "b.txt", content: null, sha: null, from_path: null }];
  const author = { name: null, email: "ann@example.org" };
  const answer = await api("POST", `${book}/contents`, ada, { files, author, dates: { author: null } });
  expect(answer.status).toBe(201);
  expect(answer.body["files"]).toMatchObject([{ path: "b.txt", size: 0 }]);
});

test("the message of the last commit and its other parts are told each on its own", async () => {
  const partsWith = async (includes: string) => {
    const { body } = await api("GET", `${book}/contents-ext/a.txt?includes=${includes}`, ada);
    return Object.keys(body["file_contents"] as object).filter((name) => name.startsWith("last_"));
  };
  const metadata = ["last_commit_sha", "last_committer_date", "last_author_date"];
  expect(await partsWith("")).toEqual([]);
  expect(await partsWith("commit_message")).toEqual(["last_commit_message"]);
  expect(await partsWith("commit_metadata")).toEqual(metadata);
  expect(await partsWith("commit_metadata,commit_message")).toEqual([...metadata, "last_commit_message"]);
});

test("of several who move a branch from the same commit at once one does, and the others hear where it is", async () => {
  const edit = (branch: string) =>
    api<{ commit: { sha: string } }>("POST", `${book}/contents/${branch}.txt`, ada, {
      content: "",
      new_branch: branch,
    });
  const targets: string[] = [];
  for (const branch of ["one", "two", "three"]) targets.push((await edit(branch)).body.commit.sha);
  const { body } = await api<{ commit: { id: string } }>("POST", `${book}/branches`, ada, { new_branch_name: "raced" });
  const from = body.commit.id;
  const moves = targets.map((to) =>
    api("PUT", `${book}/branches/raced`, ada, { new_commit_id: to, old_commit_id: from }),
  );
  const answers = await Promise.all(moves);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 422, 422]);
  for (const { body: said, status } of answers)
    if (status === 422) expect(said["message"]).toStartWith(`branch commit does not match [expected: ${from}, given: `);
});
