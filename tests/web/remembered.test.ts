import { afterAll, beforeAll, describe, expect, setSystemTime, test } from "bun:test";
import { aServer, aUser, type TestServer } from "../builders.ts";
import { aPage, type Visitor, wordsOf } from "./browser-calls.ts";

const password = "correct horse battery";
const settings = "/user/settings";
let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(async () => {
  setSystemTime();
  await server.close();
});

/** A browser that was told to stay signed in. */
async function aRemembered(): Promise<{ visitor: Visitor; login: string; cookie: string }> {
  const { login } = await aUser(server, { password });
  const visitor = aPage(server);
  await visitor.post("/user/login", { user_name: login, password, remember: "on" });
  return { visitor, login, cookie: visitor.jar.get("hearth_remember") ?? "" };
}
const opened = (cookie: string) => aPage(server, new Map([["hearth_remember", cookie]]));

describe("a browser that stays signed in", () => {
  test("comes back to the page it asked for, with a new session and a new cookie; the old session is over", async () => {
    const { visitor, cookie } = await aRemembered();
    const again = opened(cookie);
    const first = await again.get("/user/settings/account?x=1");
    expect([first.status, first.location]).toEqual([
      303,
      "/user/login?redirect_to=%2Fuser%2Fsettings%2Faccount%3Fx%3D1",
    ]);
    const second = await again.get(first.location);
    expect([second.status, second.location]).toEqual([303, "/user/settings/account?x=1"]);
    expect(again.jar.get("hearth_remember")).not.toBe(cookie);
    expect((await again.get(settings)).status).toBe(200);
    visitor.jar.delete("hearth_remember");
    expect((await visitor.get(settings)).status).toBe(303);
  });

  test("with several tabs at once signs in once, and no tab takes it for theft", async () => {
    const { cookie } = await aRemembered();
    const tabs = [opened(cookie), opened(cookie), opened(cookie)];
    const replies = await Promise.all(tabs.map((tab) => tab.get("/user/login?redirect_to=%2Fuser%2Fsettings")));
    expect(replies.map(({ status, location }) => `${status} ${location}`)).toEqual(Array(3).fill(`303 ${settings}`));
    const inside = tabs.filter((tab) => tab.jar.has("hearth_session"));
    expect(inside.length).toBe(1);
    expect((await inside[0]?.get(settings))?.status).toBe(200);
  });

  test("whose cookie was copied is signed out with the thief, and told", async () => {
    const { cookie, login } = await aRemembered();
    const thief = opened(cookie);
    await thief.get("/user/login");
    expect((await thief.get(settings)).status).toBe(200);
    setSystemTime(Date.now() + 2 * 60_000);
    const owner = opened(cookie);
    const reply = await owner.get("/user/login");
    expect(wordsOf(reply.text)).toContain("Someone used a copy of the cookie");
    expect([reply.status, owner.jar.size]).toEqual([200, 0]);
    expect((await thief.get(settings)).status).toBe(303);
    await thief.get("/user/login");
    expect((await thief.get(settings)).status).toBe(303);
    await owner.post("/user/login", { user_name: login, password });
    expect(wordsOf((await owner.get("/user/settings/security/log")).text)).toContain("was signed out");
    setSystemTime();
  });

  test("is remembered no more after signing out, signing out elsewhere, or a new password", async () => {
    for (const end of ["/user/logout", "others", "password"]) {
      const { visitor, cookie, login } = await aRemembered();
      const other = aPage(server);
      await other.post("/user/login", { user_name: login, password });
      if (end === "others") await other.post("/user/settings/security/sessions/revoke", { id: "others" });
      else if (end === "password")
        await other.post("/user/settings/account", {
          old_password: password,
          password: "another one",
          retype: "another one",
        });
      else await visitor.post(end);
      const again = opened(cookie);
      expect((await again.get("/user/login")).status).toBe(200);
      expect([end, again.jar.size]).toEqual([end, 0]);
    }
  });

  test("a made-up cookie signs no one in, and costs no redirect when it cannot be ours", async () => {
    const { cookie } = await aRemembered();
    const forged = cookie.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    const visitor = opened(forged);
    await visitor.get("/user/login");
    expect((await visitor.get(settings)).status).toBe(303);
    expect((await opened("nonsense").get("/explore/repos")).status).toBe(200);
    expect((await opened(`${"a".repeat(20)}:${"b".repeat(64)}`).get("/user/login")).status).toBe(200);
    expect(server.errors).toEqual([]);
  });
});
