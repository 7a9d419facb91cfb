import { afterAll, beforeAll, expect, test } from "bun:test";
import { aRepo, aServer, aSession, aUser, call, type TestServer, type TestUser } from "../builders.ts";
import { aPage, aPageOf, type Visitor, wordsOf } from "./browser-calls.ts";

/** The page of an account: following, blocking, and the heat map. */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let asBob: Visitor;
let anybody: Visitor;

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada", fullName: "Ada Lovelace" });
  bob = await aUser(server, { login: "bob", fullName: "Bob Babbage" });
  aRepo(server, ada.user, { name: "engine", files: { a: "a" } });
  aRepo(server, ada.user, { name: "vault", isPrivate: true });
  server.core.outbox.dispatch();
  [asBob, anybody] = [await aPageOf(server, bob.user), aPage(server)];
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

test("an account is followed by a form, without JavaScript, and both lists show it", async () => {
  expect((await asBob.get("/ada")).text).toContain('action="/ada?action=follow"');
  const followed = await asBob.post("/ada?action=follow", {});
  expect([followed.status, followed.headers.get("location")]).toEqual([303, "/ada"]);
  expect((await asBob.get("/ada")).text).toContain('action="/ada?action=unfollow"');
  const followers = wordsOf((await anybody.get("/ada?tab=followers")).text);
  expect(followers).toContain("1 follower");
  expect(followers).toContain("Bob Babbage");
  expect(wordsOf((await anybody.get("/bob?tab=following")).text)).toContain("Ada Lovelace");
  await asBob.post("/ada", { action: "unfollow" });
  expect(wordsOf((await anybody.get("/ada?tab=followers")).text)).toContain("No one follows this account yet");
  expect((await asBob.post("/ada?action=dance", {})).status).toBe(404);
});

test("htmx gets the card's part as it is now; a visitor is led to signing in", async () => {
  const headers = {
    "hx-request": "true",
    "hx-request-type": "partial",
    "content-type": "application/x-www-form-urlencoded",
    origin: server.url.replace(/\/$/, ""),
  };
  const cookie = await aSession(server, bob.user);
  const answer = await call(server, "POST", "/ada?action=follow", { cookie, headers, body: "" });
  expect(answer.text).toStartWith('<div class="follow" id="follow">');
  expect(wordsOf(answer.text)).toContain("Unfollow");
  const visitor = (await anybody.get("/ada")).text;
  expect(visitor).toContain('href="/user/login?redirect_to=%2Fada"');
  expect(visitor).not.toContain("action=follow");
});

test("whoever is blocked can be noted, is refused, and let go again", async () => {
  const page = "/user/settings/blocked_users";
  expect((await asBob.get(`${page}?blockee=ada`)).text).toContain('value="ada"');
  const added = await asBob.post(page, { action: "block", blockee: "ada", note: "loud" });
  expect([added.status, added.headers.get("location")]).toEqual([303, page]);
  expect((await asBob.get(page)).text).toContain('value="loud"');
  expect(wordsOf((await asBob.get("/ada")).text)).toContain("You block this user.");
  await asBob.post(page, { action: "note", blockee: "ada", note: "very loud" });
  expect((await asBob.get(page)).text).toContain('value="very loud"');
  const refused = await asBob.post("/ada?action=follow", {});
  expect(refused.status).toBe(403);
  const twice = await asBob.post(page, { action: "block", blockee: "ada", note: "kept" });
  expect([twice.status, wordsOf(twice.text).includes("This account cannot be blocked.")]).toEqual([422, true]);
  expect(twice.text).toContain('value="kept"');
  const unknown = await asBob.post(page, { action: "block", blockee: "nobody-here" });
  expect([unknown.status, wordsOf(unknown.text).includes("There is no such account.")]).toEqual([422, true]);
  await asBob.post(page, { action: "unblock", blockee: "ada" });
  expect(wordsOf((await asBob.get(page)).text)).toContain("No one is blocked");
});

test("the heat map shows a year, a day of it, and the numbers for programs", async () => {
  const shown = await anybody.get("/ada?tab=activity");
  expect(wordsOf(shown.text)).toContain("2 contributions in the last year");
  const today = new Date(server.core.clock()).toISOString().slice(0, 10);
  expect(shown.text).toContain(`href="/ada?tab=activity&amp;date=${today}"`);
  expect(wordsOf((await anybody.get(`/ada?tab=activity&date=${today}`)).text)).toContain("ada/engine");
  expect(wordsOf((await anybody.get("/ada?tab=activity&date=2001-01-01")).text)).not.toContain("ada/engine");
  expect((await anybody.get("/ada?tab=activity&date=2001-99-99")).status).toBe(200);
  const numbers = JSON.parse((await anybody.get("/ada/-/heatmap")).text);
  expect(numbers.totalContributions).toBe(2);
  expect(numbers.heatmapData[0][0] % 900).toBe(0);
  expect((await anybody.get("/nobody-here/-/heatmap")).status).toBe(404);
});
