import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asAccount } from "../../src/access/principal.ts";
import { writeObjects } from "../../src/git/odb/write.ts";
import {
  aFirstCommit,
  aRepo,
  aServer,
  aSession,
  aToken,
  aUser,
  type CallOptions,
  call,
  type TestServer,
  type TestUser,
} from "../builders.ts";
import { untilHolds } from "../until.ts";

/** What other programs read of a site: feeds, badges, the sitemap, and what the Go tools ask. */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada", fullName: "Ada & <Co>" });
  bob = await aUser(server, { login: "bob" });
  const files = { "a.txt": "a\n", "docs/b.txt": "b\n" };
  const message = "Turn <wheels> & \u0001 more\n\nThe body ]]> of it";
  const engine = aRepo(server, ada.user, { name: "engine", description: "An <engine>", files, message });
  aRepo(server, ada.user, { name: "vault", isPrivate: true, files: { "a.txt": "secret\n" }, message: "secret plan" });
  aRepo(server, ada.user, { name: "empty" });
  const { refs } = server.services;
  const oid = refs.find(engine.id, "refs/heads/main")!.oid;
  refs.change(engine.id, {
    principal: asAccount(ada.user),
    changes: [{ name: "refs/tags/v1/x", oldOid: null, newOid: oid }],
    atomic: true,
  });
  server.core.outbox.dispatch();
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const get = (path: string, options: CallOptions = {}) => call(server, "GET", path, options);

interface Item {
  readonly title: string;
  readonly link: string;
  readonly content: string;
}
function itemsOf(text: string): Item[] {
  // Refuses what is no XML.
  Bun.XML.parse(text);
  const unescaped = (part = "") =>
    part
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&#x27;", "'")
      .replaceAll("&amp;", "&");
  return text
    .split(/<(?:item|entry)>/)
    .slice(1)
    .map((item) => ({
      title: unescaped(/<title[^>]*>(.*?)<\/title>/s.exec(item)?.[1]),
      link: unescaped(/<link(?:>| href=")(.*?)["<]/.exec(item)?.[1]),
      content: unescaped(/<(?:description|content type="html")>(.*?)<\/(?:description|content)>/s.exec(item)?.[1]),
    }));
}

describe.each(["rss", "atom"] as const)("as %s", (form) => {
  test("a branch, and a file on it, tell their commits", async () => {
    const { status, headers, text } = await get(`/ada/engine/${form}/branch/main`);
    expect([status, headers.get("content-type")]).toEqual([200, `application/${form}+xml;charset=utf-8`]);
    const [item] = itemsOf(text);
    expect(item?.title).toBe("Turn <wheels> &  more");
    expect(item?.link).toStartWith(`${server.url}ada/engine/commit/`);
    expect(item?.content).toBe("<pre>The body ]]&gt; of it</pre>");
    expect(itemsOf((await get(`/ada/engine/${form}/branch/main/docs/b.txt`)).text)).toHaveLength(1);
    for (const path of ["none", "main/none.txt", ""])
      expect([path, (await get(`/ada/engine/${form}/branch/${path}`)).status]).toEqual([path, 404]);
    const empty = await get(`/ada/empty/${form}/branch/main`);
    expect([empty.status, itemsOf(empty.text)]).toEqual([200, []]);
  });

  test("tags have their addresses", async () => {
    const [tag] = itemsOf((await get(`/ada/engine/tags.${form}`)).text);
    expect(tag).toMatchObject({ title: "v1/x", link: `${server.url}ada/engine/src/tag/v1/x` });
  });

  test("a person and a repository tell what happened, under each of their addresses", async () => {
    for (const [path, accept] of [
      [`/ada/engine.${form}`, "*/*"],
      ["/ada/engine", `application/${form}+xml`],
      [`/ada.${form}`, "*/*"],
      ["/ada", `application/${form}+xml, text/html`],
    ] as const) {
      const { status, headers, text } = await get(path, { headers: { accept } });
      expect([path, status, headers.get("content-type")]).toEqual([path, 200, `application/${form}+xml;charset=utf-8`]);
      const made = itemsOf(text).find(({ title }) => title.includes("created ada/engine"));
      expect(made?.link).toBe(`${server.url}ada/engine`);
      expect(made?.content).toContain(`href="${server.url}ada/engine"`);
      expect(text).not.toContain("vault");
    }
    expect(
      (await get("/ada", { headers: { accept: "text/html, application/rss+xml" } })).headers.get("content-type"),
    ).toStartWith("text/html");
  });

  test("private things are told to those who may read them, by Basic and by a token", async () => {
    const paths = [`/ada/vault.${form}`, `/ada/vault/${form}/branch/main`, `/ada/vault/tags.${form}`];
    const scoped = (scope: string) => ({ basic: ["ada", aToken(server, ada.user, [scope])] as const });
    for (const path of paths) {
      for (const options of [{}, { token: bob.token }]) expect((await get(path, options)).status).toBe(404);
      expect((await get(path, scoped("read:repository"))).status).toBe(200);
      expect((await get(path, scoped("read:issue"))).status).toBe(403);
      expect((await get(path, { token: ada.token })).status).toBe(200);
    }
    expect((await get(`/ada.${form}`, { token: ada.token })).text).toContain("vault");
    for (const path of [`/nobody.${form}`, `/ada/nothing.${form}`, `/ada/-/feed/json`])
      expect((await get(path)).status).toBe(404);
  });

  test("what has not changed is not sent again", async () => {
    const first = await get(`/ada/engine.${form}`);
    const again = await get(`/ada/engine.${form}`, { headers: { "if-none-match": first.headers.get("etag")! } });
    expect([again.status, again.text]).toEqual([304, ""]);
  });

  test("pages name their feeds", async () => {
    for (const [page, feed] of [
      ["/ada", "/ada"],
      ["/ada/engine", "/ada/engine"],
      ["/ada/empty", "/ada/empty"],
      ["/ada/engine/tags", "/ada/engine/tags"],
    ])
      expect((await get(page!)).text).toContain(`href="${feed}.${form}"`);
    expect((await get("/ada/engine/commits/branch/main/docs")).text).toContain(
      `href="/ada/engine/${form}/branch/main/docs"`,
    );
  });
});

test("a feed follows a repository to its new name", async () => {
  const moved = aRepo(server, ada.user, { name: "before", files: { a: "a" } });
  const { repos } = server.services;
  repos.edit(repos.seeById(asAccount(ada.user), moved.id)!, { name: "after" });
  const { status, headers } = await get("/ada/before.rss");
  expect([status, headers.get("location")]).toEqual([301, "/ada/after/-/feed/rss"]);
  expect((await get("/ada/after/-/feed/rss")).status).toBe(200);
});

test("who hides what they do has it in no feed but their own", async () => {
  const eve = await aUser(server, { login: "eve" });
  aRepo(server, eve.user, { name: "open", files: { a: "a" } });
  server.core.outbox.dispatch();
  expect(itemsOf((await get("/eve/open.rss")).text).length).toBeGreaterThan(0);
  await server.services.identity.edit(asAccount(eve.user), eve.user, { hideActivity: true });
  for (const path of ["/eve.rss", "/eve/open.rss"]) {
    expect(itemsOf((await get(path)).text)).toEqual([]);
    expect(itemsOf((await get(path, { token: eve.token })).text).length).toBeGreaterThan(0);
  }
});

describe("go get", () => {
  const host = () => new URL(server.url).host;

  test("is answered for any address below a repository, there or not, and tells nothing of it", async () => {
    for (const path of ["/ada/engine", "/ada/vault", "/no/body", "/ada/vault/deep/er", "/ada/engine.git"]) {
      const { status, headers, text } = await get(`${path}?go-get=1`);
      expect([path, status, headers.get("content-type")?.split(";")[0]]).toEqual([path, 200, "text/html"]);
      const [, owner, name] = path.replace(".git", "").split("/");
      expect(text).toContain(
        `<meta name="go-import" content="${host()}/${owner}/${name} git ${server.url}${owner}/${name}.git">`,
      );
      expect(text).toContain(`go get --insecure ${host()}/${owner}/${name}`);
      expect(text).toContain("/src/branch/main{/dir}/{file}#L{line}");
    }
    const there = (await get("/ada/vault?go-get=1")).text;
    expect((await get("/ada/volts?go-get=1")).text).toBe(there.replaceAll("vault", "volts"));
  });

  test("the default branch is told to those who may read it", async () => {
    const hidden = aRepo(server, ada.user, { name: "odd", isPrivate: true, defaultBranch: "trunk", files: { a: "a" } });
    expect(hidden.defaultBranch).toBe("trunk");
    expect((await get("/ada/odd?go-get=1")).text).toContain("/src/branch/main{/dir}");
    expect((await get("/ada/odd?go-get=1", { token: ada.token })).text).toContain("/src/branch/trunk{/dir}");
  });

  test("hostile names are text, missing ones refused, other values a page", async () => {
    const { text } = await get('/a"><script>/b?go-get=1');
    expect(text).not.toContain("<script>");
    expect((await get("/ada/?go-get=1")).status).toBe(400);
    expect((await get("/ada/engine?go-get=2")).text).toContain("<title>");
    expect((await get("/api/v1/version?go-get=1")).body).toHaveProperty("version");
    expect((await get("/ada?go-get=1")).headers.get("content-type")).toStartWith("text/html");
  });
});

test("the sitemap has what is public, twenty a list", async () => {
  const index = await get("/sitemap.xml");
  expect([index.status, index.headers.get("content-type")]).toEqual([200, "text/xml"]);
  expect(index.text).toContain(`<loc>${server.url}explore/repos/sitemap-1.xml</loc>`);
  const list = await get("/explore/repos/sitemap-1.xml", { token: ada.token });
  Bun.XML.parse(list.text);
  expect(list.text).toContain(`<loc>${server.url}ada/engine</loc>`);
  expect(list.text).not.toContain("vault");
  expect((await get("/explore/users/sitemap-1.xml")).text).toContain(`<loc>${server.url}bob</loc>`);
  expect((await get("/explore/repos/sitemap-99999.xml")).text).not.toContain("<loc>");
  for (const name of ["sitemap-0.xml", "sitemap-1", "x", "sitemap-9999999.xml"])
    expect((await get(`/explore/repos/${name}`)).status).toBe(404);
});

test("badges are pictures that say one thing, of private repositories to their readers", async () => {
  server.services.stars.add(
    server.services.repos.seeNamed(asAccount(bob.user), [["ada", "engine"]]).get("ada/engine")!,
  );
  const { status, headers, text } = await get("/ada/engine/badges/stars.svg");
  expect([status, headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
  expect(headers.get("content-security-policy")).toContain("sandbox");
  Bun.XML.parse(text);
  expect(text).toContain("<title>stars: 1</title>");
  await untilHolds(async () =>
    (await get("/ada/engine/badges/language.svg")).text.includes("<title>language: Text</title>"),
  );
  for (const name of ["stars.png", "constructor.svg", "stars"])
    expect((await get(`/ada/engine/badges/${name}`)).status).toBe(404);
  expect((await get("/ada/vault/badges/stars.svg")).status).toBe(404);
  expect((await get(`/ada/vault/badges/stars.svg?token=${ada.token}`)).status).toBe(200);
});

test("a badge says what all checks of a commit say together", async () => {
  const { oid } = server.services.refs.find(
    server.services.repos.seeNamed(asAccount(ada.user), [["ada", "engine"]]).get("ada/engine")!.repo.id,
    "refs/heads/main",
  )!;
  const said = async (ref = "") =>
    /<title>(.*)<\/title>/.exec((await get(`/ada/engine/badges/status.svg${ref}`)).text)?.[1];
  const report = async (context: string, state: string) =>
    expect(
      (
        await call(server, "POST", `/api/v1/repos/ada/engine/statuses/${oid}`, {
          token: ada.token,
          body: { context, state },
        })
      ).status,
    ).toBe(201);
  expect(await said()).toBe("status: none");
  await report("build", "success");
  expect(await said("?ref=main")).toBe("status: success");
  await report("test", "pending");
  expect(await said()).toBe("status: pending");
  await report("test", "failure");
  expect(await said(`?ref=${oid}`)).toBe("status: failure");
  expect((await get("/ada/engine/badges/status.svg?ref=nowhere")).status).toBe(404);
  expect((await get("/ada/empty/badges/status.svg")).text).toContain("<title>status: none</title>");
});

test("explore narrows its list by what the menus offer, and searches within it", async () => {
  aRepo(server, ada.user, { name: "mould" });
  const edited = await call(server, "PATCH", "/api/v1/repos/ada/mould", { token: ada.token, body: { template: true } });
  expect(edited.status).toBe(200);
  const listed = async (query: string, token?: string) =>
    [
      ...(await get(`/explore/repos?sort=alphabetically&${query}`, token ? { token } : {})).text.matchAll(
        /href="\/ada\/(\w+)"/g,
      ),
    ]
      .map(([, name]) => name)
      .filter((name, at, all) => all.indexOf(name) === at);
  expect(await listed("template=true")).toEqual(["mould"]);
  expect(await listed("template=false")).toEqual(["after", "empty", "engine"]);
  expect(await listed("fork=true")).toEqual([]);
  expect(await listed("fork=0&q=eng")).toEqual(["engine"]);
  expect(await listed("mirror=1")).toEqual([]);
  expect(await listed("private=true")).toEqual([]);
  const { text } = await get("/explore/repos?template=true&q=mou");
  expect(text).toContain('<input type="hidden" name="template" value="true"');
  expect(text).toContain("template=false");
});

test("lists of repositories are narrowed to a main language, and tell which there are among what the reader sees", async () => {
  const { db } = server.core;
  const nel = await aUser(server, { login: "nel" });
  for (const [name, language, isPrivate] of [
    ["one", "Go", false],
    ["two", "Go", false],
    ["three", "Zig", false],
    ["four", "Nim", true],
  ] as const) {
    const { id } = aRepo(server, nel.user, { name, isPrivate });
    db.query("UPDATE repositories SET primary_language = ? WHERE id = ?").run(language, id);
  }
  db.query("UPDATE repositories SET primary_language = '' WHERE owner_id <> ?").run(nel.user.id);
  const session = await aSession(server, nel.user);
  const listed = async (path: string, cookie?: string) => {
    const { text } = await get(path, cookie ? { cookie } : {});
    const names = [...text.matchAll(/class="repo-link" href="\/nel\/(\w+)"/g)].map(([, name]) => name);
    const languages = [...text.matchAll(/language=(\w+)"[^>]*>\w+<span class="count">(\d+)</g)].map(
      ([, name, count]) => [name, count],
    );
    return { names: names.sort(), languages };
  };
  const go = {
    names: ["one", "two"],
    languages: [
      ["Go", "2"],
      ["Zig", "1"],
    ],
  };
  for (const page of ["/explore/repos?", "/nel?tab=repositories&"]) {
    expect(await listed(`${page}language=go`)).toEqual(go);
    expect((await listed(`${page}language=Nim`)).names).toEqual([]);
    expect(await listed(`${page}language=nim`, session)).toEqual({
      names: ["four"],
      languages: [
        ["Go", "2"],
        ["Nim", "1"],
        ["Zig", "1"],
      ],
    });
  }
  expect(await listed("/explore/repos?q=three&language=Zig")).toEqual({ names: ["three"], languages: [["Zig", "1"]] });
  expect((await listed("/explore/repos?language=%22%3E%3Cx")).names).toEqual([]);
});

test("a closed site has feeds for those who are known, and answers go get", async () => {
  await using closed = await aServer({ require_signin: true });
  const owner = await aUser(closed, { login: "ada" });
  aRepo(closed, owner.user, { name: "engine", files: { a: "a" } });
  expect((await call(closed, "GET", "/ada/engine.rss")).status).not.toBe(200);
  expect((await call(closed, "GET", "/ada/engine.rss", { token: owner.token })).status).toBe(200);
  expect((await call(closed, "GET", "/ada/engine?go-get=1")).status).toBe(200);
  expect((await call(closed, "GET", "/sitemap.xml")).status).not.toBe(200);
});

test("commits of an unusual date do not break a feed", async () => {
  const repo = aRepo(server, ada.user, { name: "dates" });
  const { refs, storage } = server.services;
  const made = aFirstCommit({ a: "a" }, "Far", { login: "ada", email: "a@x" });
  const commit = made.objects.at(-1)!;
  const far = {
    type: commit.type,
    data: Buffer.from(Buffer.from(commit.data).toString().replaceAll("1700000000", "99999999999999")),
  };
  const oids = writeObjects(storage.dirOf(repo.id), [...made.objects.slice(0, -1), far]);
  refs.change(repo.id, {
    principal: asAccount(ada.user),
    changes: [{ name: "refs/heads/main", oldOid: null, newOid: oids.at(-1)! }],
    atomic: true,
  });
  for (const form of ["rss", "atom"])
    expect(itemsOf((await get(`/ada/dates/${form}/branch/main`)).text)).toHaveLength(1);
});
