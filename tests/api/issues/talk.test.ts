import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asAccount } from "../../../src/access/principal.ts";
import {
  anApi,
  anOrganization,
  aRepo,
  aServer,
  aTeam,
  aToken,
  aUser,
  type Json,
  type TestServer,
  type TestUser,
} from "../../builders.ts";

/** What is said under issues: comments, the timeline, reactions, files, references, mentions, earlier texts. */

let server: TestServer;
let olga: TestUser;
let bob: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer({ "attachments.max_size_mib": 1 });
  [olga, bob] = await Promise.all([aUser(server, { login: "olga" }), aUser(server, { login: "bob" })]);
});
afterAll(() => server.close());

interface Entry {
  readonly id: number;
  readonly type: string;
  readonly body: string;
  readonly ref_action: string;
  readonly ref_issue: { readonly title: string } | null;
}

let made = 0;
/** A repository of olga's with an issue of hers. */
async function aPlace(request: Parameters<typeof aRepo>[2] = {}, owner = olga.user) {
  const { name } = aRepo(server, owner, { name: `place${++made}`, creator: olga.user, ...request });
  const at = `/repos/${owner.login}/${name}/issues`;
  const { number } = await anIssue(at, olga);
  return { at, name, full: `${owner.login}/${name}`, number, item: `${at}/${number}` };
}
const anIssue = async (at: string, who: TestUser, fields: object = {}) =>
  (await api<{ number: number; id: number }>("POST", at, who, { title: "A thing", ...fields })).body;
const say = (item: string, who: TestUser, body: string) =>
  api<{ id: number; body: string }>("POST", `${item}/comments`, who, { body });
const timeline = async (item: string, who?: TestUser, query = "") =>
  (await api<Entry[]>("GET", `${item}/timeline${query}`, who)).body;

function upload(path: string, who: TestUser | undefined, name: string, content: string | Uint8Array, query = "") {
  const form = new FormData();
  form.append("attachment", new Blob([content as BlobPart]), name);
  return fetch(new URL(`/api/v1${path}/assets${query}`, server.url), {
    method: "POST",
    headers: who ? { authorization: `token ${who.token}` } : {},
    body: form,
  });
}
const download = (uuid: string, headers: Record<string, string> = {}, path = `/attachments/${uuid}`) =>
  fetch(new URL(path, server.url), { headers });

describe("the timeline", () => {
  test("pages hold as many entries as they say, and none that leads to what one may not read", async () => {
    const open = await aPlace();
    const hidden = await aPlace({ isPrivate: true });
    for (let at = 0; at < 3; at++) {
      await say(open.item, bob, `comment ${at}`);
      await anIssue(hidden.at, olga, { title: "Secret plan", body: `for ${open.full}#${open.number}` });
    }
    const [first, second] = await Promise.all(
      [1, 2].map((page) => api<Entry[]>("GET", `${open.item}/timeline?limit=2&page=${page}`, bob)),
    );
    expect(first?.body.map(({ body }) => body)).toEqual(["comment 0", "comment 1"]);
    expect(second?.body.map(({ body }) => body)).toEqual(["comment 2"]);
    expect(first?.headers.get("x-total-count")).toBe("3");
    expect(first?.headers.get("link")).toContain('rel="next"');
    expect(await timeline(open.item, olga)).toHaveLength(6);
    expect(JSON.stringify(await timeline(open.item))).not.toContain("Secret");
  });

  test("times on either end belong to the span, and a time that is none is refused", async () => {
    const { item } = await aPlace();
    await say(item, bob, "now");
    const [entry] = (await api<{ updated_at: string }[]>("GET", `${item}/timeline`)).body;
    const at = encodeURIComponent(entry?.updated_at ?? "");
    expect(await timeline(item, undefined, `?since=${at}&before=${at}`)).toHaveLength(1);
    for (const bad of ["soon", "2026-01-01", "2026-13-45T00:00:00Z"])
      expect((await api("GET", `${item}/comments?before=${bad}`)).status).toBe(422);
  });
});

describe("comments", () => {
  test("65,535 characters are taken, more are refused, and nothing of them is there", async () => {
    const { item } = await aPlace();
    expect((await say(item, bob, "é".repeat(65_535))).status).toBe(201);
    expect((await say(item, bob, "x".repeat(65_536))).status).toBe(422);
    expect((await say(item, bob, " \n\t")).status).toBe(422);
    expect((await api<{ comments: number }>("GET", item)).body.comments).toBe(1);
  });

  test("one that is deleted leaves no count, no reaction, no file and no reference", async () => {
    const place = await aPlace();
    const other = await anIssue(place.at, olga);
    const { id } = (await say(place.item, olga, `see #${other.number}`)).body;
    await api("POST", `${place.at}/comments/${id}/reactions`, bob, { content: "eyes" });
    const { uuid } = (await (await upload(`${place.at}/comments/${id}`, olga, "a.txt", "a")).json()) as {
      uuid: string;
    };
    expect((await api("DELETE", `${place.at}/comments/${id}`, olga)).status).toBe(204);
    expect((await api<{ comments: number }>("GET", place.item)).body.comments).toBe(0);
    expect((await download(uuid, { authorization: `token ${olga.token}` })).status).toBe(404);
    const db = server.core.db;
    for (const table of ["reactions", "attachments"])
      expect(db.query(`SELECT count(*) AS n FROM ${table} WHERE entry_id = ?`).get(id)).toEqual({ n: 0 });
    expect(
      db.query("SELECT count(*) AS n FROM blob_references WHERE area = 'attachments' AND owner_key = ?").get(uuid),
    ).toEqual({ n: 0 });
    expect(await timeline(`${place.at}/${other.number}`)).toMatchObject([
      { type: "comment_ref", ref_action: "neutered" },
    ]);
  });

  test("whoever is blocked says nothing, edits nothing and reacts to nothing; administrators are not kept out", async () => {
    const { at, item } = await aPlace();
    const { id } = (await say(item, bob, "before")).body;
    await api("PUT", "/user/blocks/bob", olga);
    try {
      for (const answer of [
        await say(item, bob, "after"),
        await api("PATCH", `${at}/comments/${id}`, bob, { body: "after" }),
        await api("POST", `${item}/reactions`, bob, { content: "heart" }),
      ])
        expect([answer.status, answer.body]).toMatchObject([403, { message: "user is blocked" }]);
      expect((await api<{ body: string }>("GET", `${at}/comments/${id}`)).body.body).toBe("before");
    } finally {
      await api("DELETE", "/user/blocks/bob", olga);
    }
  });

  test("of two edits of one text both are true in turn, and an edit to the same text is none", async () => {
    const { at, item } = await aPlace();
    const { id } = (await say(item, bob, "one")).body;
    const edits = await Promise.all(
      ["two", "three"].map((body) => api("PATCH", `${at}/comments/${id}`, bob, { body })),
    );
    expect(edits.map(({ status }) => status)).toEqual([200, 200]);
    const last = (await api<{ body: string }>("GET", `${at}/comments/${id}`)).body.body;
    await api("PATCH", `${at}/comments/${id}`, bob, { body: last });
    const { comments, issues, textRevisions } = server.services;
    const seen = server.services.repos.see(asAccount(olga.user), "olga", at.split("/")[3] ?? "", () => "");
    const { entry } = comments.find(seen, id);
    expect(entry.contentVersion).toBe(2);
    expect(textRevisions.list(issues.see(seen, 1), id).map(({ body, isFirst }) => [body, isFirst])).toEqual([
      [last, false],
      [last === "two" ? "three" : "two", false],
      ["one", true],
    ]);
  });

  test("twenty earlier texts are kept, the first among them", async () => {
    const { at, item, name, number } = await aPlace();
    for (let edit = 0; edit < 25; edit++) await api("PATCH", item, olga, { body: `text ${edit}` });
    const { issues, repos, textRevisions } = server.services;
    const issue = issues.see(
      repos.see(asAccount(olga.user), "olga", name, () => ""),
      number,
    );
    const kept = textRevisions.list(issue, undefined);
    expect(kept).toHaveLength(20);
    expect([kept[0]?.body, kept.at(-1)?.body]).toEqual(["text 24", ""]);
    expect(at).toContain(name);
  });
});

describe("attachments", () => {
  test("what a browser would run is saved instead, whatever it is called", async () => {
    const { item } = await aPlace();
    const html = "<!doctype html><script>alert(1)</script>";
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    for (const [name, content] of [
      ["page.txt", html],
      ["picture.svg", svg],
      ["picture.png", html],
      ['q"uo\te\r\n.txt', "x"],
      ["../../etc/passwd.txt", "x"],
    ] as const) {
      const answer = await upload(item, olga, name, content);
      expect(answer.status).toBe(201);
      const { name: kept, uuid } = (await answer.json()) as { name: string; uuid: string };
      expect(kept).not.toMatch(/[/\\\r\n\t]/);
      const file = await download(uuid);
      const type = file.headers.get("content-type") ?? "";
      // As a picture of a page nothing in an SVG runs; opened by itself it is saved.
      if (type === "image/svg+xml") expect(file.headers.get("content-disposition")).toStartWith("attachment");
      else expect(type).not.toMatch(/html|svg|xml|script/);
      expect(file.headers.get("x-content-type-options")).toBe("nosniff");
      expect(file.headers.get("content-security-policy")).toContain("sandbox");
      expect(file.headers.get("etag")).toBe(`"${uuid}"`);
    }
  });

  test("have ranges, conditions and counts; only a beginning is counted", async () => {
    const { at, item } = await aPlace();
    const { id, uuid } = (await (await upload(item, olga, "a.txt", "0123456789")).json()) as {
      id: number;
      uuid: string;
    };
    const part = await download(uuid, { range: "bytes=2-4" });
    expect([part.status, await part.text()]).toEqual([206, "234"]);
    expect((await download(uuid, { "if-none-match": `"${uuid}"` })).status).toBe(304);
    await (await download(uuid)).text();
    expect((await api("GET", `${item}/assets/${id}`)).body).toMatchObject({ download_count: 1 });
    expect((await download(uuid, {}, `/olga/${at.split("/")[3]}/attachments/${uuid}`)).status).toBe(200);
    const other = await aPlace();
    expect((await download(uuid, {}, `/${other.full}/attachments/${uuid}`)).status).toBe(404);
  });

  test("too large, of another type, under no name, and in a broken form: refused, and nothing stays", async () => {
    const { item } = await aPlace();
    const large = await upload(item, olga, "large.txt", new Uint8Array(1024 * 1024 + 1));
    expect([large.status, await large.json()]).toMatchObject([413, { message: "attachment exceeds limit 1048576" }]);
    expect((await upload(item, olga, "run.exe", "MZ")).status).toBe(422);
    expect((await upload(item, olga, "a.txt", "x", "?name=a.exe")).status).toBe(422);
    expect((await upload(item, olga, "a.txt", "x", `?name=${"a".repeat(300)}.txt`)).status).toBe(422);
    for (const body of ["", "--x\r\nnothing", "{}"]) {
      const headers = { "content-type": "multipart/form-data; boundary=x" };
      expect((await api("POST", `${item}/assets`, olga, body, { headers })).status).toBe(422);
    }
    expect((await api<unknown[]>("GET", `${item}/assets`)).body).toEqual([]);
  });

  test("a token needs the scope of issues, and one for public things gets nothing private", async () => {
    const { item } = await aPlace({ isPrivate: true });
    const { uuid } = (await (await upload(item, olga, "a.txt", "x")).json()) as { uuid: string };
    const as = (...scopes: string[]) => download(uuid, { authorization: `token ${aToken(server, olga.user, scopes)}` });
    expect((await as("read:repository")).status).toBe(403);
    expect((await as("public-only", "read:issue")).status).toBe(403);
    expect((await as("read:issue")).status).toBe(200);
    expect((await download(uuid)).status).toBe(404);
    expect((await download(uuid, { authorization: `token ${bob.token}` })).status).toBe(404);
  });

  test("a file waits for its form where only its uploader sees it, and can be hung up once, by them, in its repository", async () => {
    const [one, two] = [await aPlace(), await aPlace()];
    const { attachments, issues, repos } = server.services;
    const seenBy = (who: TestUser, name: string) => repos.see(asAccount(who.user), "olga", name, () => "");
    using upload = await attachments.receive(
      (async function* () {
        yield new TextEncoder().encode("waiting");
      })(),
      "wait.txt",
    );
    const { uuid } = attachments.keep(seenBy(bob, one.name), upload);
    expect((await download(uuid, { authorization: `token ${bob.token}` })).status).toBe(200);
    expect((await download(uuid, { authorization: `token ${olga.token}` })).status).toBe(404);
    const use = (who: TestUser, name: string) =>
      attachments.use({ item: issues.see(seenBy(who, name), 1), entry: undefined }, [uuid]);
    expect(() => use(olga, one.name)).toThrow("attachment.not-usable");
    expect(() => use(bob, two.name)).toThrow("attachment.not-usable");
    use(bob, one.name);
    expect((await download(uuid)).status).toBe(200);
    await anIssue(one.at, bob);
    expect(() => attachments.use({ item: issues.see(seenBy(bob, one.name), 2), entry: undefined }, [uuid])).toThrow(
      "attachment.not-usable",
    );
  });
});

describe("references", () => {
  test("edited away and back, and of an item that one may not read: nothing there", async () => {
    const open = await aPlace();
    const hidden = await aPlace({ isPrivate: true });
    const { id } = (await say(open.item, bob, `${hidden.full}#${hidden.number}`)).body;
    expect(await timeline(hidden.item, olga)).toEqual([]);
    const other = await anIssue(open.at, olga);
    const target = `${open.at}/${other.number}`;
    const edit = (body: string) => api("PATCH", `${open.at}/comments/${id}`, bob, { body });
    for (const [body, action] of [
      [`#${other.number}`, "none"],
      ["nothing", "neutered"],
      [`closes #${other.number} and #${open.number}`, "none"],
    ] as const) {
      await edit(body);
      expect((await timeline(target)).map(({ ref_action, type }) => [type, ref_action])).toEqual([
        ["comment_ref", action],
      ]);
    }
    // Nothing refers to itself.
    expect((await timeline(open.item)).map(({ type }) => type)).toEqual(["comment"]);
  });

  test("a long text is read a moment later, and many mentions are bounded", async () => {
    const { at, item, number } = await aPlace();
    const names = Array.from({ length: 10_000 }, (_, at) => `@u${at}`).join(" ");
    const body = `@olga #${number} ${names}`.slice(0, 65_000);
    const read = Promise.withResolvers<void>();
    server.core.jobs.onChange(({ kind, state }) => {
      if (kind === "issues.read-text" && state === "done") read.resolve();
    });
    const issue = await anIssue(at, bob, { body });
    await read.promise;
    expect(await timeline(item)).toHaveLength(1);
    const mentions = server.core.db.query("SELECT user_id FROM issue_mentions WHERE issue_id = ?").all(issue.id);
    expect(mentions).toEqual([{ user_id: olga.user.id }]);
  });
});

describe("mentions", () => {
  test("reach who may read, by name or by a team that is concerned, and no one in code", async () => {
    const acme = anOrganization(server, olga.user, { login: "acme" });
    const [ann, ben, cat] = await Promise.all(["ann", "ben", "cat"].map((login) => aUser(server, { login })));
    if (!ann || !ben || !cat) throw new Error("three people");
    const readers = { unitsMap: { "repo.issues": "read" }, includesAll: true } as const;
    aTeam(server, acme, { name: "readers", members: [ann.user], ...readers });
    aTeam(server, acme, { name: "coders", members: [ben.user], includesAll: true });
    const place = await aPlace({ isPrivate: true }, acme);
    const issue = await anIssue(place.at, olga, {
      body: "@acme/readers. @acme/coders @cat @olga `@ann` @acme @nobody-x",
    });
    const mentioned = () =>
      server.core.db
        .query<{ id: number }>("SELECT user_id AS id FROM issue_mentions WHERE issue_id = ?")
        .all(issue.id)
        .map(({ id }) => id);
    expect(mentioned()).toEqual([ann.user.id]);
    const told = server.core.db
      .query<{ payload: string }>("SELECT payload FROM events WHERE kind = 'issue.mentioned' ORDER BY id DESC LIMIT 1")
      .get();
    expect(JSON.parse(told?.payload ?? "{}") as Json).toMatchObject({ issueId: issue.id, userIds: [ann.user.id] });
  });
});
