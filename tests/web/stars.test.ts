import { afterAll, beforeAll, expect, test } from "bun:test";
import { aRepo, aServer, aSession, aUser, call, type TestServer, type TestUser } from "../builders.ts";
import { aPage, aPageOf, type Visitor, wordsOf } from "./browser-calls.ts";

/** The buttons beside a repository's name, the lists behind their numbers, and the tab of an account's page. */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let asBob: Visitor;
let anybody: Visitor;

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob", fullName: "Bob Babbage" });
  aRepo(server, ada.user, { name: "engine" });
  aRepo(server, ada.user, { name: "vault", isPrivate: true });
  [asBob, anybody] = [await aPageOf(server, bob.user), aPage(server)];
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

test("a star is given and taken back by forms, without JavaScript", async () => {
  const before = await asBob.get("/ada/engine");
  expect(before.text).toContain('action="/ada/engine/action/star"');
  const given = await asBob.post("/ada/engine/action/star", { redirect_to: "/ada/engine/watchers?page=1" });
  expect([given.status, given.headers.get("location")]).toEqual([303, "/ada/engine/watchers?page=1"]);
  const after = await asBob.get("/ada/engine");
  expect(after.text).toContain('action="/ada/engine/action/unstar"');
  expect(after.text).toContain('href="/ada/engine/stars"');
  expect(wordsOf((await anybody.get("/ada/engine/stars")).text)).toContain("bob Bob Babbage");
  expect(wordsOf((await anybody.get("/bob?tab=stars")).text)).toContain("ada/ engine");
  const back = await asBob.post("/ada/engine/action/unstar", { redirect_to: "//evil.example" });
  expect([back.status, back.headers.get("location")]).toEqual([303, "/ada/engine"]);
  expect(wordsOf((await anybody.get("/ada/engine/stars")).text)).toContain("No one has starred this repository yet");
});

test("htmx gets the one button as it is now", async () => {
  const cookie = await aSession(server, bob.user);
  const headers = {
    "hx-request": "true",
    "hx-request-type": "partial",
    "content-type": "application/x-www-form-urlencoded",
    origin: server.url.replace(/\/$/, ""),
  };
  const body = "redirect_to=%2Fada%2Fengine";
  const answer = await call(server, "POST", "/ada/engine/action/watch", { cookie, headers, body });
  expect(answer.status).toBe(200);
  expect(answer.text).toStartWith('<div class="repo-action" id="action-watch">');
  expect(answer.text).toContain('action="/ada/engine/action/unwatch"');
  expect(wordsOf(answer.text)).toBe(" Unwatch 2 Watchers ");
  expect(wordsOf((await anybody.get("/ada/engine/watchers")).text)).toContain("bob Bob Babbage");
});

test("a visitor is led to signing in and back; what is private is not there", async () => {
  const page = await anybody.get("/ada/engine");
  expect(page.text).toContain('href="/user/login?redirect_to=%2Fada%2Fengine"');
  expect(page.text).not.toContain("action/star");
  for (const path of ["/ada/vault/stars", "/ada/vault/watchers"]) expect((await asBob.get(path)).status).toBe(404);
  for (const what of ["star", "unstar", "watch", "unwatch"])
    expect((await asBob.post(`/ada/vault/action/${what}`, {})).status).toBe(404);
});

test("the buttons speak the reader's language", async () => {
  const page = await asBob.get("/ada/engine?lang=de-DE");
  expect(wordsOf(page.text)).toContain("Stern geben");
  await asBob.get("/ada/engine?lang=en-US");
});
