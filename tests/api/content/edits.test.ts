import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asAccount } from "../../../src/access/principal.ts";
import { anApi, aRepo, aServer, aToken, aUser, type Json, type TestServer, type TestUser } from "../../builders.ts";
import { git, gitText } from "../../git/objects/real-git.ts";

let server: TestServer;
let ada: TestUser;
let bob: TestUser;

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server);
  bob = await aUser(server);
});
afterAll(() => server.close());

const api = anApi(() => server);
const base64 = (text: string | Uint8Array) => Buffer.from(text).toString("base64");

async function aBook(files: Record<string, string> = { "README.md": "# book\n" }) {
  const repo = aRepo(server, ada.user, { files });
  await server.services.refs.projected();
  const path = `/repos/${ada.login}/${repo.name}`;
  const dir = server.services.storage.dirOf(repo.id);
  return {
    repo,
    path,
    dir,
    tip: () => server.services.refs.find(repo.id, "refs/heads/main")?.oid ?? "",
    write: (file: string, body: Json = {}, who: TestUser | undefined = ada) =>
      api("POST", `${path}/contents/${file}`, who, { content: base64("text\n"), ...body }),
  };
}

describe("edits", () => {
  test("paths that some checkout would take for .git, or that lead out, are refused", async () => {
    const book = await aBook();
    const before = book.tip();
    const paths = [
      ".git/config",
      "a/.git/config",
      ".GIT/config",
      ".Git",
      "git~1/config",
      "a/GIT~1",
      ".git./x",
      ".git /x",
      ".git::$INDEX_ALLOCATION/x",
      ".g\u200cit/config",
      ".\u200dGIT/hooks/x",
      "\ufeff.git/config",
      "x".repeat(300),
    ];
    for (const file of paths) {
      const refused = await book.write(encodeURIComponent(file));
      expect([file, refused.status]).toEqual([file, 422]);
      const many = await api("POST", `${book.path}/contents`, ada, {
        files: [{ operation: "upload", path: file, content: "" }],
      });
      expect([file, many.status]).toEqual([file, 422]);
      const moved = await api("PUT", `${book.path}/contents/ok`, ada, { content: "", from_path: file });
      expect([file, moved.status]).toEqual([file, 422]);
    }
    for (const file of ["%00", "a%00b", "%ff", "%c3%28"]) expect((await book.write(file)).status).toBe(400);
    expect(book.tip()).toBe(before);
    expect(server.errors).toEqual([]);
  });

  test("what leads out and back in is cleaned", async () => {
    const book = await aBook();
    const made = await api("POST", `${book.path}/contents`, ada, {
      files: [{ operation: "create", path: "../../etc/./x", content: "" }],
    });
    expect(made.status).toBe(201);
    expect(gitText(["-C", book.dir, "ls-tree", "-r", "--name-only", "main"]).split("\n")).toEqual([
      "README.md",
      "etc/x",
    ]);
  });

  test("nothing is written through a symbolic link", async () => {
    const book = await aBook({ "lib/a.txt": "a\n" });
    const blob = git(["-C", book.dir, "hash-object", "-w", "--stdin"], { input: "lib" }).stdout.toString().trim();
    const tree = git(["-C", book.dir, "mktree"], {
      input: `${gitText(["-C", book.dir, "ls-tree", "main"])}\n120000 blob ${blob}\tlink\n`,
    })
      .stdout.toString()
      .trim();
    const commit = gitText(["-C", book.dir, "commit-tree", tree, "-m", "link", "-p", "main"]);
    server.services.refs.change(book.repo.id, {
      principal: asAccount(ada.user),
      changes: [{ name: "refs/heads/main", oldOid: book.tip(), newOid: commit }],
      atomic: true,
    });
    expect((await book.write("link/x.txt")).status).toBe(422);
    expect((await api("PUT", `${book.path}/contents/link`, ada, { content: base64("x"), sha: blob })).status).toBe(422);
    expect(
      (await api("PUT", `${book.path}/contents/link/a.txt`, ada, { content: "", from_path: "lib/a.txt" })).status,
    ).toBe(422);
    expect(book.tip()).toBe(commit);
    expect((await api("DELETE", `${book.path}/contents/link`, ada, { sha: blob })).status).toBe(200);
  });

  test("parallel edits of one branch are all in its history, one after the other", async () => {
    const book = await aBook();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => book.write(`f${at}.txt`, { content: base64(String(at)) })),
    );
    const won = answers.filter((answer) => answer.status === 201);
    for (const answer of answers) expect([201, 409]).toContain(answer.status);
    expect(won.length).toBeGreaterThan(0);
    expect(Number(gitText(["-C", book.dir, "rev-list", "--count", "main"]))).toBe(1 + won.length);
    const tree = gitText(["-C", book.dir, "ls-tree", "--name-only", "main"]).split("\n");
    for (const [at, answer] of answers.entries()) expect(tree.includes(`f${at}.txt`)).toBe(answer.status === 201);
    expect(git(["-C", book.dir, "fsck", "--strict"]).code).toBe(0);
  });

  test("of parallel updates that expect the same content one wins", async () => {
    const book = await aBook({ "a.txt": "old\n" });
    const { body } = await api("GET", `${book.path}/contents/a.txt`, ada);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        api("PUT", `${book.path}/contents/a.txt`, ada, { sha: body["sha"], content: base64(`new ${at}`) }),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422, 422, 422, 422, 422]);
    expect(Number(gitText(["-C", book.dir, "rev-list", "--count", "main"]))).toBe(2);
  });

  test("large contents go through a worker, two of them in parallel", async () => {
    const book = await aBook();
    const bytes = new Uint8Array(3_000_000).map((_, at) => (at * 2654435761) >>> 11);
    const answers = await Promise.all(
      ["one.bin", "two.bin"].map((name, at) => book.write(name, { content: base64(bytes.subarray(at)) })),
    );
    expect(answers.map((answer) => answer.status)).toEqual([201, 201]);
    const raw = await fetch(`${server.url}api/v1${book.path}/raw/two.bin`);
    expect(Buffer.compare(Buffer.from(await raw.arrayBuffer()), Buffer.from(bytes.subarray(1)))).toBe(0);
    const part = await fetch(`${server.url}api/v1${book.path}/raw/two.bin`, {
      headers: { range: "bytes=1000000-1000009" },
    });
    expect(
      Buffer.compare(Buffer.from(await part.arrayBuffer()), Buffer.from(bytes.subarray(1_000_001, 1_000_011))),
    ).toBe(0);
    const head = await fetch(`${server.url}api/v1${book.path}/raw/two.bin`, { method: "HEAD" });
    expect(head.headers.get("content-length")).toBe(String(bytes.length - 1));
  });

  test("an edit that changes nothing is refused, and makes no branch", async () => {
    const book = await aBook();
    const before = book.tip();
    const sha = (await api("GET", `${book.path}/contents/README.md`, ada)).body["sha"];
    const same = { content: base64("# book\n"), sha };
    for (const body of [same, { ...same, new_branch: "same" }]) {
      const answer = await api("PUT", `${book.path}/contents/README.md`, ada, body);
      expect(answer.status).toBe(422);
      expect(answer.body["message"]).toBe("nothing would change");
    }
    expect(book.tip()).toBe(before);
    expect(server.services.refs.find(book.repo.id, "refs/heads/same")).toBeUndefined();
  });

  test("a refused edit stores nothing", async () => {
    const book = await aBook();
    const count = () => gitText(["-C", book.dir, "count-objects"]).split(" ")[0];
    const before = count();
    await book.write("a.txt", { branch: "nope" });
    await book.write("README.md/x.txt", { content: base64("y".repeat(400_000)) });
    await api("DELETE", `${book.path}/contents/README.md`, ada, { sha: "0".repeat(40) });
    expect(count()).toBe(before);
  });

  test("persons are cleaned, times keep their zone, and fsck accepts it all", async () => {
    const book = await aBook();
    const made = await book.write("a.txt", {
      message: "m\u0000x\n\n\n",
      author: { name: "A <b>\nc", email: "x@y>\n" },
      committer: { name: "<>" },
      dates: { author: "2001-02-03T04:05:06-03:30" },
      signoff: true,
    });
    expect(made.status).toBe(201);
    expect(gitText(["-C", book.dir, "log", "-1", "--format=%an|%ae|%ai|%cn|%ce", "main"])).toBe(
      "A bc|x@y|2001-02-03 04:05:06 -0330|A bc|x@y",
    );
    expect(git(["-C", book.dir, "fsck", "--strict"]).code).toBe(0);
    for (const date of ["yesterday", "2001-02-03", "1969-12-31T00:00:00Z", "2001-13-01T00:00:00Z"])
      expect((await book.write("b.txt", { dates: { author: date } })).status).toBe(422);
  });

  test("bodies of wrong types are refused", async () => {
    const book = await aBook();
    const bodies: Json[] = [
      { content: 5 },
      { content: null },
      { content: "YQ" },
      { content: "Y!==" },
      { content: "", branch: 7 },
      { content: "", author: "me" },
      { content: "", dates: [] },
      { content: "", new_branch: "refs/heads/x" },
      { content: "", new_branch: "HEAD" },
      { content: "", new_branch: "-x" },
    ];
    for (const body of bodies)
      expect([body, (await api("POST", `${book.path}/contents/b.txt`, ada, body)).status]).toEqual([body, 422]);
    for (const files of [
      [],
      "x",
      [{}],
      [{ operation: "create" }],
      [{ operation: "explode", path: "a" }],
      [{ operation: "rename", path: "a" }],
    ])
      expect((await api("POST", `${book.path}/contents`, ada, { files })).status).toBe(422);
    expect(server.errors).toEqual([]);
  });

  test("one batch may take a folder's place and make one in a file's", async () => {
    const book = await aBook({ "lib/a.txt": "a\n", "lib/b.txt": "b\n", note: "n\n" });
    const made = await api<{ files: Json[] }>("POST", `${book.path}/contents`, ada, {
      files: [
        { operation: "delete", path: "lib/a.txt" },
        { operation: "rename", path: "moved/b.txt", from_path: "lib/b.txt" },
        { operation: "create", path: "lib", content: base64("now a file\n") },
        { operation: "delete", path: "note" },
        { operation: "create", path: "note/1", content: base64("1") },
      ],
    });
    expect(made.status).toBe(201);
    expect(gitText(["-C", book.dir, "ls-tree", "-r", "--name-only", "main"]).split("\n")).toEqual([
      "lib",
      "moved/b.txt",
      "note/1",
    ]);
    const clash = await api("POST", `${book.path}/contents`, ada, {
      files: [
        { operation: "create", path: "new/x", content: "" },
        { operation: "create", path: "new", content: "" },
      ],
    });
    expect(clash.status).toBe(422);
  });

  test("who may: roles and scopes", async () => {
    const book = await aBook();
    const reader = await aUser(server);
    const writer = await aUser(server);
    await api("PUT", `${book.path}/collaborators/${reader.login}`, ada, { permission: "read" });
    await api("PUT", `${book.path}/collaborators/${writer.login}`, ada, { permission: "write" });
    const statuses = [];
    for (const who of [undefined, bob, reader, writer, ada])
      statuses.push((await api("POST", `${book.path}/contents/by-${who?.login}`, who, { content: "" })).status);
    expect(statuses).toEqual([401, 403, 403, 201, 201]);
    const narrow = aToken(server, ada.user, ["read:repository", "write:issue"]);
    expect((await api("POST", `${book.path}/contents/n`, undefined, { content: "" }, { token: narrow })).status).toBe(
      403,
    );
    await api("PATCH", book.path, ada, { private: true });
    expect((await book.write("x", {}, bob)).status).toBe(404);
    const publicOnly = aToken(server, ada.user, ["all", "public-only"]);
    expect(
      (await api("POST", `${book.path}/contents/n`, undefined, { content: "" }, { token: publicOnly })).status,
    ).toBe(404);
    await api("PATCH", book.path, ada, { archived: true });
    expect((await book.write("y", {}, ada)).status).toBe(423);
  });
});
