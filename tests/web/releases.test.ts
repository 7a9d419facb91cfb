import { afterAll, beforeAll, expect, test } from "bun:test";
import { asAccount } from "../../src/access/principal.ts";
import type { User } from "../../src/access/user.ts";
import { aRepo, aServer, aSession, aUser, call, type TestServer } from "../builders.ts";
import { aPage, type Visitor, wordsOf } from "./browser-calls.ts";

/** Pages of releases: the list, one of them, the form with files, the feed. */

let server: TestServer;
let ada: User;
let asAda: Visitor;
let asBob: Visitor;
let cookie: string;

beforeAll(async () => {
  server = await aServer();
  ada = (await aUser(server, { login: "ada" })).user;
  const bob = (await aUser(server, { login: "bob" })).user;
  const signedIn = async (user: User) => {
    const [name = "", secret = ""] = (await aSession(server, user)).split("=");
    if (user === ada) cookie = `${name}=${secret}`;
    return aPage(server, new Map([[name, secret]]));
  };
  [asAda, asBob] = [await signedIn(ada), await signedIn(bob)];
  aRepo(server, ada, { name: "engine", files: { "a.md": "a\n" } });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

test("a release is written with its files, shown, changed and deleted", async () => {
  const base = "/ada/engine/releases";
  expect(wordsOf((await asAda.get(base)).text)).toContain("No releases yet");
  expect((await asBob.get(`${base}/new`)).status).toBe(404);
  const form = new FormData();
  for (const [name, value] of Object.entries({
    tag_name: "v1.0",
    tag_target: "main",
    title: "<b>One</b>",
    content: "**bold**",
  }))
    form.append(name, value);
  form.append("files", new Blob(["bytes"]), "tool.bin");
  const headers = { cookie, "sec-fetch-site": "same-origin" };
  const made = await fetch(new URL(`${base}/new`, server.url), {
    method: "POST",
    body: form,
    headers,
    redirect: "manual",
  });
  expect([made.status, made.headers.get("location")]).toEqual([303, base]);
  const page = (await asBob.get(base)).text;
  for (const part of ["&lt;b&gt;One", "<strong>bold</strong>", "tool.bin", `${base}/download/v1.0/tool.bin`, "Latest"])
    expect(page).toContain(part);
  expect((await asBob.get(`${base}/latest`)).location).toBe(`${base}/tag/v1.0`);
  expect((await call(server, "GET", `${base}/download/latest/tool.bin`)).text).toBe("bytes");
  const home = (await asBob.get("/ada/engine")).text;
  expect(home).toContain(`href="${base}"`);
  expect(home).toContain(`<a href="${base}/tag/v1.0">Latest release: &lt;b&gt;One&lt;/b&gt;</a>`);
  expect((await call(server, "GET", `${base}.rss`)).text).toContain("v1.0");

  const edited = await asAda.post(`${base}/edit/v1.0`, { tag_name: "v1.0", title: "Uno", content: "", draft: "on" });
  expect([edited.status, edited.location]).toEqual([303, base]);
  expect((await asBob.get(`${base}/tag/v1.0`)).text).not.toContain("Uno");
  expect(wordsOf((await asAda.get(base)).text)).toMatch(/Uno\s+Draft/);
  const id = server.services.releases.findOfTag(
    server.services.repos.see(asAccount(ada), "ada", "engine", () => ""),
    "v1.0",
  )?.id;
  expect((await asBob.post(`${base}/delete`, { id: String(id) })).status).toBe(404);
  expect((await asAda.post(`${base}/delete`, { id: String(id) })).status).toBe(303);
  expect((await asAda.get(`${base}/tag/v1.0`)).text).toContain(`${base}/new?tag=v1.0`);
});

test("the form keeps what was typed, and says what is wrong", async () => {
  const refused = await asAda.post("/ada/engine/releases/new", { tag_name: "not a tag", title: "kept title" });
  expect([refused.status, refused.text.includes("kept title")]).toEqual([422, true]);
  const taken = { tag_name: "v2", title: "Two" };
  expect((await asAda.post("/ada/engine/releases/new", taken)).status).toBe(303);
  const again = await asAda.post("/ada/engine/releases/new", taken);
  expect([again.status, wordsOf(again.text).includes("This tag already has a release")]).toEqual([422, true]);
});

test("a form makes a tag alone, and names neither a tag that is there nor a target that is not", async () => {
  const base = "/ada/engine/releases";
  expect((await asAda.get(`${base}/new`)).text).toContain('name="tag_only"');
  expect((await asAda.get(`${base}/edit/v2`)).text).not.toContain('name="tag_only"');
  const alone = { tag_name: "only/tag", tag_target: "main", title: "Alone", tag_only: "Create tag only" };
  const tagged = await asAda.post(`${base}/new`, { ...alone, add_tag_msg: "on" });
  expect([tagged.status, tagged.location]).toEqual([303, "/ada/engine/src/tag/only/tag"]);
  expect(wordsOf((await asAda.get(base)).text)).not.toContain("Alone");
  expect((await call(server, "GET", "/api/v1/repos/ada/engine/tags/only/tag")).text).toContain("Alone");
  const twice = await asAda.post(`${base}/new`, alone);
  expect([twice.status, twice.text.includes("Alone")]).toEqual([422, true]);

  const lost = { tag_name: "v3", tag_target: "nowhere", title: "Lost target" };
  for (const fields of [lost, { ...lost, tag_only: "1" }]) {
    const refused = await asAda.post(`${base}/new`, fields);
    expect([refused.status, refused.text.includes("Lost target")]).toEqual([422, true]);
    expect(wordsOf(refused.text)).toContain("There is no such branch or commit.");
  }

  expect((await asAda.post(`${base}/new`, { tag_name: "v4", title: "Four" })).status).toBe(303);
  expect((await asAda.post(`${base}/edit/v4`, { title: "Fourth", content: "" })).status).toBe(303);
  expect(wordsOf((await asBob.get(`${base}/tag/v4`)).text)).toContain("Fourth");
});
