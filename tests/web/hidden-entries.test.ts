import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, aRepo, aServer, aUser, type TestServer, type TestUser } from "../builders.ts";
import { aPageOf, wordsOf } from "./browser-calls.ts";

/** What an account's conversations leave out. */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
const api = anApi(() => server);
beforeAll(async () => {
  server = await aServer();
  [ada, bob] = [await aUser(server, { login: "ada" }), await aUser(server, { login: "bob" })];
});
afterAll(async () => {
  await server?.close();
});

const CHOOSE = "/user/settings/appearance/hidden_comments";

test("what an account hides is left out of its own conversations, and of nobody else's", async () => {
  const { name } = aRepo(server, ada.user);
  const issues = `/repos/ada/${name}/issues`;
  await api("POST", issues, ada, { title: "one" });
  await api("PATCH", `${issues}/1`, ada, { title: "two" });
  await api("PUT", `${issues}/1/lock`, ada, { lock_reason: "" });
  await api("POST", `${issues}/1/comments`, ada, { body: "what was said" });
  const [mine, theirs] = [await aPageOf(server, ada.user), await aPageOf(server, bob.user)];
  const shown = async (visitor: typeof mine) => {
    const words = wordsOf((await visitor.get(`/ada/${name}/issues/1`)).text);
    return ["changed the title", "locked", "what was said"].filter((part) => words.includes(part));
  };
  const everything = await shown(mine);
  expect(everything).toContain("changed the title");

  const saved = await mine.post(CHOOSE, { title: "on", comment: "on", nonsense: "on" });
  expect([saved.status, saved.location]).toEqual([303, "/user/settings/appearance"]);
  expect(await shown(mine)).toEqual(everything.filter((part) => part !== "changed the title"));
  expect(await shown(theirs)).toEqual(everything);
  const form = (await mine.get("/user/settings/appearance")).text;
  expect(form).toMatch(/name="title"[^>]*checked/);
  expect(form).not.toMatch(/name="lock"[^>]*checked/);

  await mine.post(CHOOSE, {});
  expect(await shown(mine)).toEqual(everything);
});

test("the API shows what is hidden on pages", async () => {
  const { name } = aRepo(server, ada.user);
  await api("POST", `/repos/ada/${name}/issues`, ada, { title: "one" });
  await api("PATCH", `/repos/ada/${name}/issues/1`, ada, { title: "two" });
  await (await aPageOf(server, ada.user)).post(CHOOSE, { title: "on" });
  const { body } = await api<{ type: string }[]>("GET", `/repos/ada/${name}/issues/1/timeline`, ada);
  expect(body.map(({ type }) => type)).toEqual(["change_title"]);
});
