import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { asAccount } from "../../src/access/principal.ts";
import { anApi, aRepo, aServer, aSession, aUser, type TestServer, type TestUser } from "../builders.ts";
import { aChromium } from "./chromium.ts";

/** A board in a real browser: cards moved by keys and pointer, and what another does to them. */

let server: TestServer;
let browser: Browser;
let ada: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aChromium()]);
  ada = await aUser(server, { login: "ada" });
});
afterAll(async () => {
  await browser?.close();
  const errors = server?.errors;
  await server?.close();
  expect(errors).toEqual([]);
});

test("cards are moved by keys and by dragging, and others see it without a reload", async () => {
  const { name } = aRepo(server, ada.user);
  const { boards, projects, repos } = server.services;
  const home = repos.see(asAccount(ada.user), "ada", name, () => "");
  const project = projects.create(home, { title: "Plan", template: "kanban" });
  const [from, to] = boards.columns({ home, project });
  for (const title of ["first card", "second card"]) {
    const made = await api<{ id: number }>("POST", `/repos/ada/${name}/issues`, ada, { title, projects: [project.id] });
    expect(made.status).toBe(201);
  }
  const open = async (): Promise<Page> => {
    const context = await browser.newContext({ baseURL: server.url });
    const [cookie = "", value = ""] = (await aSession(server, ada.user)).split("=");
    await context.addCookies([{ name: cookie, value, url: server.url }]);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await Promise.all([
      page.waitForResponse((answer) => answer.url().endsWith("/events")),
      page.goto(`/ada/${name}/projects/${project.id}`),
    ]);
    return page;
  };
  const [mine, other] = [await open(), await open()];
  const card = (page: Page, column: number | undefined, title: string) =>
    page.locator(`[data-column="${column}"] [data-card]`, { hasText: title });

  await card(mine, from?.id, "first card").focus();
  await mine.keyboard.press("Alt+ArrowRight");
  await card(mine, to?.id, "first card").waitFor();
  await card(other, to?.id, "first card").waitFor();
  expect(await other.locator("[data-card]").count()).toBe(2);

  await card(mine, from?.id, "second card").dragTo(mine.locator(`[data-column="${to?.id}"]`));
  await card(other, to?.id, "second card").waitFor();
  expect(await card(other, from?.id, "second card").count()).toBe(0);

  await api("PATCH", `/repos/ada/${name}/issues/1`, ada, { title: "another name" });
  await card(other, to?.id, "another name").waitFor();
  await api("DELETE", `/repos/ada/${name}/issues/2`, ada);
  await card(other, to?.id, "second card").waitFor({ state: "detached" });
  for (const page of [mine, other]) await page.context().close();
});
