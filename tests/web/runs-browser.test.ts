import { afterAll, beforeAll, expect, test } from "bun:test";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Browser, Page } from "playwright-core";
import { Result } from "../../src/actions/runners/protocol/runner_pb.ts";
import type { Repo } from "../../src/repos/types.ts";
import type { MadeRunner } from "../api/actions/made-runner.ts";
import { aRun, aRunner, seen } from "../api/actions/world.ts";
import { aRepo, aServer, aUser, type TestServer, type TestUser } from "../builders.ts";
import { aChromium } from "./chromium.ts";

/** A run that is watched in a real browser while its runner works. */

const BUILD = `name: Build
on: push
jobs:
  first: {runs-on: self, steps: [{name: Compile, run: make}, {name: Test, run: make test}]}
  second: {runs-on: self, needs: first, steps: [{run: echo}]}
`;
let server: TestServer;
let browser: Browser;
let ada: TestUser;
let repo: Repo;
let runner: MadeRunner;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aChromium()]);
  ada = await aUser(server, { login: "ada" });
  repo = aRepo(server, ada.user, { name: "engine", files: { "a.md": "a\n" } });
  runner = await aRunner(server, seen(server, repo, ada));
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

async function aVisitor(): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const problems: string[] = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  return { page, problems };
}

const at = (milliseconds: number) => timestampFromMs(Date.UTC(2026, 0, 2, 3, 4, 5) + milliseconds);

test("a job's page shows what its runner writes as it comes, and how it ends", async () => {
  const run = await aRun(server, repo, BUILD);
  const { page, problems } = await aVisitor();
  await page.goto(`/ada/engine/actions/runs/${run.id}`);
  const other = await aVisitor();
  await other.page.goto(`/ada/engine/actions/runs/${run.id}`);
  // What happens before a page listens is not told to it.
  const listens = page.waitForResponse((answer) => answer.headers()["content-type"]?.includes("event-stream") ?? false);
  await page.locator("#run-menu .settings-wide a", { hasText: "first" }).click();
  await page.getByText("This job has not started").waitFor();
  await listens;

  // It waits; then a runner takes it, and the steps are there.
  const job = await runner.take();
  await runner.log(job, 0, ["setting up", "compiling"]);
  const compiling = { id: 0n, startedAt: at(0), logIndex: 1n, logLength: 1n };
  await runner.update(job, { startedAt: at(0), steps: [compiling] });
  await page.locator("#step-1").getByText("compiling").waitFor();

  // What comes later is put below, each line once.
  await runner.log(job, 2, ["\u001b[32mcompiled\u001b[0m", "testing <b>all</b>"]);
  const compiled = { ...compiling, result: Result.SUCCESS, stoppedAt: at(2_000), logLength: 2n };
  const testing = { id: 1n, startedAt: at(2_000), logIndex: 3n, logLength: 1n };
  await runner.update(job, { startedAt: at(0), steps: [compiled, testing] });
  await page.locator("#rows-1 .ansi-green").getByText("compiled").waitFor();
  await page.locator("#rows-2").getByText("testing <b>all</b>").waitFor({ state: "attached" });
  expect(await page.locator("#rows-1 .log-line").allInnerTexts()).toHaveLength(2);

  // A step that was over before the page came is opened by hand.
  await page.locator("#step-0 > summary").click();
  await page.locator("#rows-0").getByText("setting up").waitFor();

  await runner.log(job, 4, [], true);
  const tested = { ...testing, result: Result.FAILURE, stoppedAt: at(3_000) };
  await runner.update(job, {
    result: Result.FAILURE,
    startedAt: at(0),
    stoppedAt: at(3_000),
    steps: [compiled, tested],
  });
  await page.locator("#job-state").getByText("Failure").waitFor();
  await page.locator("#run-head").getByText("Failure").waitFor();
  await page.locator('#run-menu .settings-wide a [aria-label="Skipped"]').waitFor();
  expect(await page.locator("#follow-log").count()).toBe(0);
  // Whoever looks at the run as a whole sees it, too.
  await other.page.locator('#run-summary a[aria-label="first: Failure"]').waitFor();
  await other.page.locator('#run-summary a[aria-label="second: Skipped"]').waitFor();
  await other.page.locator('#run-menu .settings-wide a [aria-label="Skipped"]').waitFor();
  expect([...problems, ...other.problems]).toEqual([]);
  expect(server.errors).toEqual([]);
}, 300_000);
