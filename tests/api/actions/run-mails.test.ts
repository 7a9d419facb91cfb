import { afterAll, beforeAll, expect, test } from "bun:test";
import { asAccount } from "../../../src/access/principal.ts";
import { Result } from "../../../src/actions/runners/protocol/runner_pb.ts";
import {
  anApi,
  aRepo,
  aServer,
  aSession,
  aUser,
  call,
  settled,
  type TestServer,
  type TestUser,
} from "../../builders.ts";
import { anSmtpSink, mailsTo, type ReceivedMail, type SmtpSink } from "../../smtp-sink.ts";
import { aRun, aRunner, seen } from "./world.ts";

/** Mails to whoever started a run (contract webhooks.md 11), and what they say of wanting them (web.md 1.7). */

let sink: SmtpSink;
let server: TestServer;
let ada: TestUser;
let bob: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  sink = anSmtpSink();
  server = await aServer(mailsTo(sink));
  [ada, bob] = [await aUser(server, { login: "ada" }), await aUser(server, { login: "bob" })];
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  sink.close();
  expect(errors).toEqual([]);
});

const flow = "name: The flow\non: push\njobs:\n  build: {runs-on: self, steps: [{run: a}]}\n";

async function aBench() {
  const repo = aRepo(server, ada.user, { isPrivate: true });
  await api("PUT", `/repos/ada/${repo.name}/collaborators/bob`, ada, { permission: "write" });
  const runner = await aRunner(server, seen(server, repo, ada));
  /** The mails that a run of bob's brings. */
  const mailsOf = async (result: Result, amid: () => Promise<unknown> = async () => {}): Promise<ReceivedMail[]> => {
    await settled(server);
    const before = sink.mails.length;
    await aRun(server, repo, flow, { userId: bob.user.id });
    const task = await runner.take();
    await amid();
    await runner.finish(task, result);
    await settled(server);
    return sink.mails.slice(before);
  };
  return { mailsOf, repo };
}

test("who started a run is mailed when it fails, with what became of its jobs", async () => {
  const { mailsOf, repo } = await aBench();
  expect(await mailsOf(Result.SUCCESS)).toEqual([]);
  const [mail, ...others] = await mailsOf(Result.FAILURE);
  expect([others.length, mail?.to]).toEqual([0, [bob.user.email]]);
  const { headers, text = "" } = mail ?? {};
  expect(headers?.get("subject")).toBe(`[ada/${repo.name}] The flow: Failure - main (1111111111)`);
  expect(headers?.get("message-id")).toStartWith(`<ada/${repo.name}/actions/runs/2@`);
  expect(headers?.get("list-id")).toStartWith(`ada/${repo.name} <`);
  for (const told of ["build: Failure", "you started it", `${server.url}ada/${repo.name}/actions/runs/`])
    expect(text).toContain(told);
});

test("they say which they want", async () => {
  const { mailsOf } = await aBench();
  const cookie = await aSession(server, bob.user);
  const choose = (preference: string) =>
    call(server, "POST", "/user/settings/notifications/actions", {
      cookie,
      headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
      body: new URLSearchParams({ preference }).toString(),
    });
  expect((await choose("some")).status).toBe(404);
  expect((await choose("all")).status).toBe(303);
  const page = await call(server, "GET", "/user/settings/notifications", { cookie });
  expect(page.text).toContain("Mails about runs of Actions that I started");
  expect(await mailsOf(Result.SUCCESS)).toHaveLength(1);
  expect(await mailsOf(Result.CANCELLED)).toHaveLength(1);
  expect(await mailsOf(Result.SKIPPED)).toEqual([]);
  expect((await choose("disabled")).status).toBe(303);
  expect(await mailsOf(Result.FAILURE)).toEqual([]);
  server.services.runMailPreferences.set(asAccount(bob.user), "failure-only");
});

test("who may not read runs any more hears nothing", async () => {
  const { mailsOf, repo } = await aBench();
  const leave = () => api("DELETE", `/repos/ada/${repo.name}/collaborators/bob`, ada);
  expect(await mailsOf(Result.FAILURE, leave)).toEqual([]);
});
