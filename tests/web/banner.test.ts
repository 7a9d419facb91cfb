import { expect, test } from "bun:test";
import { aServer } from "../builders.ts";
import { aPage, wordsOf } from "./browser-calls.ts";

test("what the operator has to say stands on every page until a visitor closes it", async () => {
  await using server = await aServer({ banner: "Down on <Sunday>" });
  const visitor = aPage(server);
  for (const path of ["/explore/repos", "/user/login", "/no/such/page"]) {
    const { text } = await visitor.get(path);
    expect([path, text.includes("Down on &lt;Sunday&gt;")]).toEqual([path, true]);
  }
  const referer = `${server.url}explore/users?q=x`;
  const closed = await visitor.post("/-/web-banner/dismiss", {}, { referer });
  expect([closed.status, closed.location]).toEqual([303, "/explore/users?q=x"]);
  expect(closed.headers.get("set-cookie")).toMatch(/Max-Age=172800/i);
  expect(wordsOf((await visitor.get("/explore/repos")).text)).not.toContain("Down on");
  // Others read it still, and who closed another text reads this one.
  expect(wordsOf((await aPage(server).get("/explore/repos")).text)).toContain("Down on");
  const before = aPage(server, new Map([["hearth_banner", "0123456789abcdef"]]));
  expect(wordsOf((await before.get("/explore/repos")).text)).toContain("Down on");
});

test("a server that has nothing to say says nothing, and closing nothing is no error", async () => {
  await using server = await aServer();
  const visitor = aPage(server);
  expect((await visitor.get("/explore/repos")).text).not.toContain("web-banner");
  expect((await visitor.post("/-/web-banner/dismiss")).status).toBe(303);
});
