import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { User } from "../../src/access/user.ts";
import type { Repo } from "../../src/repos/types.ts";
import { aRepo, aServer, aSession, aUser, type TestServer } from "../builders.ts";
import { aPage, aPageOf, type Visitor, wordsOf } from "./browser-calls.ts";

/** Pages of a repository through their door: who sees what, where addresses lead, and what forms do. */

const files = {
  "README.md": "# Engine\n\n[guide](docs/guide.md) ![plan](img/plan.png)\n",
  "docs/guide.md": "# Guide\n",
  "src/main/java/A.java": "class A {}\n",
  "crlf.txt": "one\r\ntwo\r\n",
  "table.csv": "a,b\n1,2\n",
  "<b>&.txt": "odd\n",
};
let server: TestServer;
let ada: User;
let bob: User;
let repo: Repo;
let hidden: Repo;
let asAda: Visitor;
let asBob: Visitor;
let anybody: Visitor;

async function signedIn(user: User): Promise<Visitor> {
  return aPageOf(server, user);
}

beforeAll(async () => {
  server = await aServer();
  ada = (await aUser(server, { login: "ada" })).user;
  bob = (await aUser(server, { login: "bob" })).user;
  repo = aRepo(server, ada, { name: "engine", files, description: "A <i>machine</i>" });
  hidden = aRepo(server, ada, { name: "vault", files, isPrivate: true });
  [asAda, asBob, anybody] = [await signedIn(ada), await signedIn(bob), aPage(server)];
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const head = (of: Repo) => server.services.refs.find(of.id, `refs/heads/${of.defaultBranch}`)?.oid ?? "";

test("a repository speaks the visitor's language, and shows the README that does", async () => {
  const path = `/ada/${aRepo(server, ada, { name: "polyglot", files: { "README.md": "# Hello", "README.de.md": "# Hallo" } }).name}`;
  const seen = async (query: string, language: string) =>
    wordsOf((await aPage(server).get(`${path}${query}`, { "accept-language": language })).text);
  expect(await seen("", "en-GB")).toMatch(/Go to file.* Hello /);
  expect(await seen("", "de-AT")).toMatch(/Zur Datei.* Hallo /);
  // The address counts before the browser, for both.
  expect(await seen("?lang=de-DE", "en")).toMatch(/Zur Datei.* Hallo /);
  expect(await seen("/src/branch/main/missing", "de")).toContain("Seite nicht gefunden");
});

describe("who sees what", () => {
  const reading = [
    "",
    "/src/branch/main",
    "/src/branch/main/docs/guide.md",
    "/src/branch/HEAD/docs/guide.md",
    "/src/commit/HEAD/docs/guide.md",
    "/commits/branch/main",
    "/branches",
    "/tags",
  ];
  const more = ["/commit/{head}", "/commit/{head}.patch", "/branches/list", "/tree-list/branch/main", "/-/events"];
  const changing = ["/settings", "/settings/collaboration"];
  const proposing = ["/_edit/main/README.md", "/_new/main"];

  test.each([...reading, ...more, ...changing, ...proposing])(
    "%p of a private repository looks like that of a missing one",
    async (path) => {
      for (const visitor of [anybody, asBob]) {
        const [there, nowhere] = await Promise.all([
          visitor.get(`/ada/vault${path.replace("{head}", head(hidden))}`),
          visitor.get(`/ada/nowhere${path.replace("{head}", head(hidden))}`),
        ]);
        const seen = (answer: typeof there, name: string) => [
          answer.status,
          answer.location.replaceAll(name, "N"),
          answer.text.replaceAll(name, "N").replace(/nonce="[^"]*"|<!--[0-9a-f]*-->|[\d.]+ ms/g, ""),
        ];
        expect(seen(there, "vault")).toEqual(seen(nowhere, "nowhere"));
        expect(there.status).toBe(404);
      }
      if (path !== "/-/events")
        expect((await asAda.get(`/ada/vault${path.replace("{head}", head(hidden))}`)).status).toBe(200);
    },
  );

  test("reading needs no account and sets no cookie, changing does", async () => {
    for (const path of reading) {
      const answer = await anybody.get(`/ada/engine${path}`);
      expect([path, answer.status, answer.headers.getSetCookie()]).toEqual([path, 200, []]);
    }
    for (const path of [...changing, ...proposing]) {
      const target = `/ada/engine${path}`;
      expect((await anybody.get(target)).location).toBe(`/user/login?redirect_to=${encodeURIComponent(target)}`);
      expect([path, (await asBob.get(target)).status]).toEqual([path, changing.includes(path) ? 404 : 200]);
    }
  });

  test("a reader's forms change nothing", async () => {
    for (const [path, form] of [
      ["/settings", { action: "delete", repo_name: "engine" }],
      ["/branches/_new/branch/main", { new_branch_name: "mine" }],
      ["/branches/delete", { name: "main" }],
      ["/branches/rename", { from: "main", to: "mine" }],
      ["/_edit/main/README.md", { tree_path: "README.md", content: "mine" }],
      ["/settings/collaboration", { collaborator: "bob" }],
    ] as const)
      expect([path, (await asBob.post(`/ada/engine${path}`, form)).status]).toEqual([path, 404]);
    expect(server.services.refs.list(repo.id).map((ref) => [ref.name, ref.oid])).toEqual([
      ["refs/heads/main", head(repo)],
    ]);
  });
});

describe("what pages show", () => {
  test("the home: files with their commits, the README with links into the repository", async () => {
    const { text } = await anybody.get("/ada/engine");
    expect(text).toContain("src/main/java");
    expect(text).toContain('href="/ada/engine/src/branch/main/docs/guide.md"');
    expect(text).toContain("/ada/engine/media/branch/main/img/plan.png");
    expect(text).not.toContain("<i>machine</i>");
    expect(text).toContain("&lt;b&gt;&amp;.txt");
    expect(wordsOf(text)).toContain("First commit");
  });

  test("the head names the one address of a home and of a file, and says what a commit is to those who share it", async () => {
    const root = server.url.replace(/\/$/, "");
    for (const path of ["/ADA/Engine", "/ada/engine.git", "/ada/engine"])
      expect((await anybody.get(path)).text).toContain(`<link rel="canonical" href="${root}/ada/engine"`);
    const file = "/ada/engine/src/branch/main/docs/guide.md";
    expect((await anybody.get(`${file}?display=source`)).text).toContain(`<link rel="canonical" href="${root}${file}"`);
    const commit = `/ada/engine/commit/${head(repo)}`;
    const { text } = await anybody.get(commit);
    expect(text).toContain(`<meta property="og:url" content="${root}${commit}"`);
    expect(text).toMatch(/<meta property="og:title" content="[^"]*[0-9a-f]{10}"/);
  });

  test("answers that differ for htmx say so", async () => {
    expect((await anybody.get("/ada/engine")).headers.get("vary")).toContain("HX-Request-Type");
    const part = await anybody.get(`/ada/engine/lastcommit/${head(repo)}/docs?refSubUrl=branch%2Fmain`);
    expect(part.text).toStartWith("<table");
    expect(part.text).toContain("/ada/engine/src/branch/main/docs/guide.md");
    const lost = await anybody.get("/user/settings", { "hx-request": "true", "hx-request-type": "partial" });
    expect([lost.status, lost.headers.get("hx-redirect")]).toEqual([204, "/user/login?redirect_to=%2Fuser%2Fsettings"]);
    const none = await anybody.get("/ada/none", { "hx-request": "true", "hx-request-type": "partial" });
    expect([none.status, none.headers.get("hx-retarget"), none.text.includes("<html")]).toEqual([404, "#flash", false]);
  });

  test("files by their kind", async () => {
    expect((await anybody.get("/ada/engine/src/branch/main/table.csv")).text).toContain('<th scope="col">a</th>');
    expect((await anybody.get("/ada/engine/src/branch/main/docs/guide.md")).text).toContain("user-content-guide");
    const source = await anybody.get("/ada/engine/src/branch/main/docs/guide.md?display=source");
    expect(source.text).toContain('id="L1"');
    expect((await anybody.get(`/ada/engine/src/branch/main/${encodeURIComponent("<b>&.txt")}`)).status).toBe(200);
  });

  test.each([
    ["/src", ""],
    ["/src/main/docs", "/src/branch/main/docs"],
    ["/src/main/a%2fb.txt", "/src/branch/main/a%2fb.txt"],
    ["/commits/main", "/commits/branch/main"],
    ["/tree/main/docs?x=1", "/src/main/docs?x=1"],
    ["/blob/123456/%20?a=1", "/src/commit/123456/%20?a=1"],
    ["/src/branch/main/README.md?raw=1&x=2", "/raw/branch/main/README.md"],
  ])("%s leads to %s", async (from, to) => {
    const answer = await anybody.get(`/ada/engine${from}`);
    expect([answer.status, answer.location]).toEqual([303, `/ada/engine${to}`]);
  });

  test("what does not exist is 404, hostile addresses too", async () => {
    for (const path of [
      "/src/branch/nope",
      "/src/branch/main/nope",
      "/src/tag/v9",
      "/src/commit/zzz",
      "/commit/000000",
    ])
      expect([path, (await asAda.get(`/ada/engine${path}`)).status]).toEqual([path, 404]);
    for (const path of [
      "/src/branch/main/..%2f..%2fx",
      "/src/branch/%ff",
      "/commits/branch/main/%00",
      "/commit/%22%3E",
    ])
      expect([path, [400, 404].includes((await asAda.get(`/ada/engine${path}`)).status)]).toEqual([path, true]);
  });
});

describe("changing files", () => {
  test("a new file and an edit are commits; line ends stay as they were", async () => {
    const made = await asAda.post("/ada/engine/_new/main/", {
      tree_path: "notes/today.txt",
      content: "one\r\ntwo\r\n",
      commit_summary: "Notes",
      commit_choice: "direct",
    });
    expect([made.status, made.location]).toEqual([303, "/ada/engine/src/branch/main/notes/today.txt"]);
    expect((await anybody.get("/ada/engine/raw/branch/main/notes/today.txt")).text).toBe("one\ntwo\n");
    const edited = await asAda.post("/ada/engine/_edit/main/crlf.txt", {
      tree_path: "crlf.txt",
      content: "one\r\nthree\r\n",
      last_commit: head(repo),
    });
    expect(edited.status).toBe(303);
    expect((await anybody.get("/ada/engine/raw/branch/main/crlf.txt")).text).toBe("one\r\nthree\r\n");
  });

  test("who comes second is told, and the text is not lost", async () => {
    const opened = head(repo);
    const form = { tree_path: "docs/guide.md", content: "first", last_commit: opened };
    expect((await asAda.post("/ada/engine/_edit/main/docs/guide.md", form)).status).toBe(303);
    const second = await asAda.post("/ada/engine/_edit/main/docs/guide.md", { ...form, content: "my long text" });
    expect(second.status).toBe(422);
    expect(second.text).toContain("my long text");
    expect(wordsOf(second.text)).toContain("ada changed this file after you opened it");
    expect((await anybody.get("/ada/engine/raw/branch/main/docs/guide.md")).text).toBe("first");
    // The other change is there, with two ways out of it, and neither is taken by itself.
    expect(second.text).toMatch(/<section class="other-change">.*class="diff-file".*first.*<\/section>/s);
    expect(second.text).toContain('href="/ada/engine/_edit/main/docs/guide.md"');
    const over = /name="over" value="([0-9a-f]+)"/.exec(second.text)?.[1] ?? "";
    expect(over).toBe(head(repo));
    const again = { ...form, content: "my long text", over };
    expect((await asAda.post("/ada/engine/_edit/main/docs/guide.md", again)).status).toBe(303);
    expect((await anybody.get("/ada/engine/raw/branch/main/docs/guide.md")).text).toBe("my long text");
    // Saving over one change is not saving over the next.
    const third = await asAda.post("/ada/engine/_edit/main/docs/guide.md", { ...again, content: "once more" });
    expect(third.status).toBe(422);
    expect((await anybody.get("/ada/engine/raw/branch/main/docs/guide.md")).text).toBe("my long text");
  });

  test("a file that someone changed is not deleted unseen; one that someone deleted can be made again", async () => {
    const opened = head(repo);
    const edit = "/ada/engine/_edit/main/docs/guide.md";
    expect((await asAda.post(edit, { tree_path: "docs/guide.md", content: "news", last_commit: opened })).status).toBe(
      303,
    );
    const removal = await asAda.post("/ada/engine/_delete/main/docs/guide.md", { last_commit: opened });
    expect([removal.status, removal.text.includes("other-change")]).toEqual([422, true]);
    const over = { last_commit: opened, over: head(repo) };
    expect((await asAda.post("/ada/engine/_delete/main/docs/guide.md", over)).status).toBe(303);
    const late = await asAda.post(edit, { tree_path: "docs/guide.md", content: "mine", last_commit: opened });
    expect([late.status, late.text.includes("mine")]).toEqual([422, true]);
    expect(late.text).toContain('action="/ada/engine/_new/main/docs/guide.md"');
    const form = { tree_path: "docs/guide.md", content: "mine", last_commit: opened };
    expect((await asAda.post("/ada/engine/_new/main/docs/guide.md", form)).status).toBe(303);
    expect((await anybody.get("/ada/engine/raw/branch/main/docs/guide.md")).text).toBe("mine");
  });

  test.each(["../x", ".git/config", "a/.GIT/x", "docs", "README.md", ""])(
    "a new file cannot be called %p",
    async (path) => {
      const before = head(repo);
      const answer = await asAda.post("/ada/engine/_new/main/", { tree_path: path, content: "x" });
      expect([answer.status, head(repo)]).toEqual([422, before]);
    },
  );

  test("on a new branch, renamed, and deleted again", async () => {
    const made = await asAda.post("/ada/engine/_new/main/", {
      tree_path: "b.txt",
      content: "b",
      commit_choice: "commit-to-new-branch",
      new_branch_name: "topic/one",
    });
    expect(made.location).toBe("/ada/engine/compare/main...topic/one");
    expect((await asAda.post("/ada/engine/branches/rename", { from: "topic/one", to: "two" })).status).toBe(303);
    const old = await anybody.get("/ada/engine/src/branch/topic/one/b.txt?x=1");
    expect([old.status, old.location]).toEqual([303, "/ada/engine/src/branch/two/b.txt?x=1"]);
    const gone = await asAda.post("/ada/engine/_delete/two/b.txt", { last_commit: "" });
    expect(gone.location).toBe("/ada/engine/src/branch/two");
    expect((await asAda.post("/ada/engine/branches/delete", { name: "two" })).status).toBe(303);
    expect((await anybody.get("/ada/engine/src/branch/two")).status).toBe(404);
  });
});

describe("settings", () => {
  test("a refused change comes back with what was typed, a good one leads to the new address", async () => {
    const other = aRepo(server, ada, { name: "other", files });
    const bad = await asAda.post("/ada/other/settings", {
      action: "update",
      repo_name: "engine",
      description: "typed",
    });
    expect([bad.status, bad.text.includes("typed")]).toEqual([422, true]);
    const link = await asAda.post("/ada/other/settings", {
      action: "update",
      repo_name: "other",
      website: "javascript:alert(1)",
    });
    expect(link.status).toBe(422);
    const good = await asAda.post("/ada/other/settings", { action: "update", repo_name: "renamed" });
    expect([good.status, good.location]).toEqual([303, "/ada/renamed/settings"]);
    const old = await anybody.get("/ada/other/src/branch/main/docs/guide.md?x=1");
    expect([old.status, old.location]).toEqual([301, "/ada/renamed/src/branch/main/docs/guide.md?x=1"]);
    expect(server.services.repos.byId(other.id)?.description).toBe("");
  });

  test("deleting and hiding ask for the name", async () => {
    const doomed = aRepo(server, ada, { name: "doomed", files });
    const wrong: Record<string, string>[] = [
      { action: "delete", repo_name: "Doomed" },
      { action: "visibility", private: "true", confirm_repo_name: "doomed" },
    ];
    for (const form of wrong) expect((await asAda.post("/ada/doomed/settings", form)).status).toBe(422);
    expect(server.services.repos.byId(doomed.id)?.isPrivate).toBe(false);
    expect((await asAda.post("/ada/doomed/settings", { action: "delete", repo_name: "doomed" })).location).toBe("/ada");
    expect((await asAda.get("/ada/doomed")).status).toBe(404);
  });

  test("an archived repository is read, not changed, and unlocked again", async () => {
    const old = aRepo(server, ada, { name: "old", files });
    await asAda.post("/ada/old/settings", { action: "archive" });
    expect(wordsOf((await anybody.get("/ada/old")).text)).toContain("archived");
    expect((await asAda.get("/ada/old/_edit/main/README.md")).status).toBe(404);
    expect((await asAda.post("/ada/old/branches/delete", { name: "main" })).status).toBe(404);
    await asAda.post("/ada/old/settings", { action: "unarchive" });
    expect(server.services.repos.byId(old.id)?.isArchived).toBe(false);
  });

  test("a collaborator of this repository only, and no one who is hidden", async () => {
    const page = "/ada/engine/settings/collaboration";
    const secret = (await aUser(server, { login: "ghostly", visibility: "private" })).user;
    expect((await asAda.post(page, { collaborator: "ghostly" })).status).toBe(422);
    expect((await asAda.post(page, { collaborator: "bob" })).status).toBe(303);
    expect((await asAda.post(`${page}/access_mode`, { uid: String(bob.id), mode: "1" })).status).toBe(303);
    expect((await asAda.post(`${page}/access_mode`, { uid: String(secret.id), mode: "3" })).status).toBe(404);
    expect((await asAda.post(`${page}/delete`, { id: String(bob.id) })).status).toBe(303);
    expect((await asAda.post(`${page}/delete`, { id: String(bob.id) })).status).toBe(404);
  });
});

test("a page that listens hears of a push, and goes on listening after a change that takes no access away", async () => {
  const [name = "", secret = ""] = (await aSession(server, ada)).split("=");
  const answer = await fetch(`${server.url}ada/vault/-/events`, { headers: { cookie: `${name}=${secret}` } });
  expect(answer.headers.get("content-type")).toContain("text/event-stream");
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let heard = "";
  const until = async (text: string) => {
    while (!heard.includes(text)) {
      const { value, done } = await reader.read();
      if (done) return false;
      heard += value;
    }
    return true;
  };
  await until("listening");
  await asAda.post("/ada/vault/_new/main/", { tree_path: "new.txt", content: "x" });
  expect(await until("event: refs.changed")).toBe(true);
  await asAda.post("/ada/vault/settings", { action: "update", repo_name: "vault", description: "d" });
  expect(await until("event: repo.edited")).toBe(true);
  await reader.cancel();
});
