import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { as, aThing, lfsOf, pointerTo } from "../api/lfs/client.ts";
import { aRepo, aServer, aUser, call, type TestServer, type TestUser } from "../builders.ts";
import { aPageOf, type Visitor, wordsOf } from "./browser-calls.ts";

/** Pages of large files (contract web.md 1.11, 4.9), by forms and without JavaScript. */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let browser: Visitor;
const now = { value: Date.now() };

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
  browser = await aPageOf(server, ada.user);
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const page = async (path: string) => {
  const answer = await browser.get(path);
  return { status: answer.status, words: wordsOf(answer.text), text: answer.text };
};
/** As if they had come days ago. */
const age = () => server.core.db.execute(`UPDATE lfs_objects SET updated_at = ${now.value - 3 * 86_400_000}`);

test("files are listed, shown, found and deleted", async () => {
  const thing = aThing("some text\nof a large file\n");
  const { name } = aRepo(server, ada.user, { files: { "docs/a.txt": pointerTo(thing), "b.txt": "b" } });
  const at = `/ada/${name}/settings/lfs`;
  expect((await page(at)).words).toContain("No large files");
  await lfsOf(server, `ada/${name}`).put(thing, thing.bytes, as(ada));
  const listed = await page(at);
  expect(listed.words).toContain("1 file, 26");
  expect(listed.text).toContain(`href="${at}/show/${thing.oid}"`);
  expect((await page(`${at}/show/${thing.oid}`)).words).toContain(thing.oid);
  const found = await page(`${at}/find?oid=${thing.oid}&size=${thing.size}`);
  expect(found.text).toContain(`href="/ada/${name}/src/branch/main/docs/a.txt"`);
  expect((await page(`${at}/find?oid=${"a".repeat(64)}`)).words).toContain("No file found");
  for (const bad of [`${at}/find?oid=x`, `${at}/show/${"a".repeat(64)}`, `${at}/show/x`])
    expect([bad, (await page(bad)).status]).toEqual([bad, 404]);
  expect((await browser.post(`${at}/delete/${thing.oid}`, {})).status).toBe(303);
  expect((await page(at)).words).toContain("No large files");
  expect((await lfsOf(server, `ada/${name}`).get(thing.oid)).status).toBe(404);
  expect((await browser.post(`${at}/delete/${thing.oid}`, {})).status).toBe(404);
});

test("pointers say what is here, what another repository has, and what is missing", async () => {
  const [here, mine, theirs, unused] = [aThing(), aThing(), aThing(), aThing()];
  const files = { here: pointerTo(here), mine: pointerTo(mine), theirs: pointerTo(theirs) };
  const { name } = aRepo(server, ada.user, { files });
  const other = aRepo(server, ada.user, { isPrivate: true });
  const foreign = aRepo(server, bob.user, { isPrivate: true });
  for (const thing of [here, unused]) await lfsOf(server, `ada/${name}`).put(thing, thing.bytes, as(ada));
  await lfsOf(server, `ada/${other.name}`).put(mine, mine.bytes, as(ada));
  await lfsOf(server, `bob/${foreign.name}`).put(theirs, theirs.bytes, as(bob));
  const at = `/ada/${name}/settings/lfs/pointers`;
  const before = await page(at);
  expect(before.words).toContain("1 object is in another repository");
  const states = ["stored", "in another repository", "missing"].map((state) => before.words.split(state).length - 1);
  expect(states).toEqual([1, 2, 1]);
  // What has just come may be named by the next push.
  expect(before.words).not.toContain("without a pointer");
  expect((await browser.post(`${at}/associate`, {})).status).toBe(303);
  const lfs = lfsOf(server, `ada/${name}`);
  expect((await lfs.get(mine.oid)).text).toBe(mine.bytes.toString());
  expect((await lfs.get(theirs.oid)).status).toBe(404);
  age();
  expect((await page(at)).words).toContain("1 file without a pointer");
  // A client that is told that it need not send one relies on it.
  await lfs.batch("upload", [unused], as(ada));
  expect((await page(at)).words).not.toContain("without a pointer");
  age();
  expect((await browser.post(`/ada/${name}/settings/lfs/cleanup`, {})).status).toBe(303);
  expect([(await lfs.get(unused.oid)).status, (await lfs.get(here.oid)).status]).toEqual([404, 200]);
});

test("locks are made, shown and taken away", async () => {
  const { name } = aRepo(server, ada.user, { files: { "a.bin": "a" } });
  const member = `/api/v1/repos/ada/${name}/collaborators/bob`;
  await call(server, "PUT", member, { token: ada.token, body: { permission: "write" } });
  const at = `/ada/${name}/settings/lfs/locks`;
  expect((await page(at)).words).toContain("No locks");
  expect((await browser.post(at, { path: "./a.bin" })).status).toBe(303);
  const again = await browser.post(at, { path: "A.bin" });
  expect([again.status, wordsOf(again.text)]).toEqual([422, expect.stringContaining("This file is locked already.")]);
  const bad = await browser.post(at, { path: ".." });
  expect([bad.status, wordsOf(bad.text)]).toEqual([422, expect.stringContaining("This is not the path of a file.")]);
  await lfsOf(server, `ada/${name}`).ask("POST", "locks", as(bob), { path: "b.bin" });
  const listed = await page(at);
  expect(listed.words).toContain("Locked by bob");
  const [, id] = /action="[^"]*\/locks\/(\d+)\/unlock"/.exec(listed.text) ?? [];
  for (const status of [303, 404]) expect((await browser.post(`${at}/${id}/unlock`, {})).status).toBe(status);
});

test("a file's page shows the object in place of its pointer", async () => {
  const [text, picture, lost] = [aThing("const answer = 42;\n"), aThing("\x89PNG\r\n\x1a\n picture"), aThing()];
  const files = { "a.ts": pointerTo(text), "b.png": pointerTo(picture), "c.bin": pointerTo(lost) };
  const { name } = aRepo(server, ada.user, { files });
  for (const thing of [text, picture]) await lfsOf(server, `ada/${name}`).put(thing, thing.bytes, as(ada));
  const at = (path: string) => `/ada/${name}/src/branch/main/${path}`;
  const shown = await page(at("a.ts"));
  expect(shown.words).toMatch(/const\s+answer\s*=\s*42/);
  expect(shown.words).toContain("Git LFS");
  expect(shown.text).toContain(`/ada/${name}/media/branch/main/a.ts`);
  expect(shown.text).not.toContain("/_edit/");
  expect((await page(at("b.png"))).text).toContain(`<img src="/ada/${name}/media/branch/main/b.png"`);
  expect((await page(at("c.bin"))).words).toContain("The content of this file is not here");
  expect((await page(`${at("a.ts")}?display=source`)).words).toContain(text.oid);
  rmSync(server.services.blobs.files.pathOf(text.oid));
  expect((await page(at("a.ts"))).words).toContain("The content of this file is not here");
  const settings = await page(`/ada/${name}/settings/lfs/show/${text.oid}`);
  expect(settings.words).toContain("its content is missing on the server");
});

test("by night, unnamed objects go where that is switched on", async () => {
  const nightly = await aServer({ "lfs.cleanup_days": 2 });
  try {
    const owner = await aUser(nightly);
    const [named, unnamed, fresh] = [aThing(), aThing(), aThing()];
    const { name } = aRepo(nightly, owner.user, { files: { a: pointerTo(named) } });
    const lfs = lfsOf(nightly, `${owner.login}/${name}`);
    for (const thing of [named, unnamed, fresh]) await lfs.put(thing, thing.bytes, as(owner));
    nightly.core.db
      .query("UPDATE lfs_objects SET updated_at = ? WHERE oid <> ?")
      .run(now.value - 3 * 86_400_000, fresh.oid);
    nightly.core.jobs.enqueue("lfs.cleanup", {});
    await nightly.core.jobs.drain();
    const statuses = await Promise.all([named, unnamed, fresh].map(async ({ oid }) => (await lfs.get(oid)).status));
    expect(statuses).toEqual([200, 404, 200]);
    expect(nightly.errors).toEqual([]);
  } finally {
    await nightly.close();
  }
});
