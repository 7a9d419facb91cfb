import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { Result } from "../../../src/actions/runners/protocol/runner_pb.ts";
import { recountRepositories } from "../../../src/quotas/store.ts";
import {
  type Answer,
  anApi,
  aRepo,
  aServer,
  aUser,
  type CallOptions,
  call,
  type TestServer,
  type TestUser,
} from "../../builders.ts";
import type { GivenJob } from "./made-runner.ts";
import { aRun, aRunner, seen } from "./world.ts";

/** What jobs leave: the newer protocol, and REST (contract actions.md 7.3 to 7.5, 8.9). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer({ "actions.artifact_mib": 1 });
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const flow = "on: push\njobs:\n  a:\n    runs-on: self\n    steps: [{run: a}]\n";
const NEWER = "/twirp/github.actions.results.api.v1.ArtifactService";
const sha256 = (data: string) => `sha256:${createHash("sha256").update(data).digest("hex")}`;
const base64 = (text: string) => Buffer.from(text).toString("base64");

async function aBench(request: { isPrivate?: boolean } = {}) {
  const repo = aRepo(server, ada.user, request);
  const runner = await aRunner(server, seen(server, repo, ada));
  const running = async () => {
    await aRun(server, repo, flow);
    return runner.take();
  };
  return { repo, runner, running, path: `/repos/ada/${repo.name}/actions` };
}

interface Made {
  readonly ok: boolean;
  readonly signedUploadUrl: string;
  readonly signedUrl: string;
  readonly artifactId: string;
  readonly artifacts?: readonly { readonly name: string; readonly databaseId: string; readonly size: string }[];
}

const twirp = (job: GivenJob, method: string, body: object = {}, more: CallOptions = {}): Promise<Answer<Made>> =>
  call<Made>(server, "POST", `${NEWER}/${method}`, {
    headers: { authorization: `Bearer ${job.runtimeToken}` },
    body: { workflowRunBackendId: String(job.runId), workflowJobRunBackendId: "1", ...body },
    ...more,
  });
const at = (url: string) => url.slice(server.url.length - 1);
const put = (url: string, query: string, body: string) => call<string>(server, "PUT", at(url) + query, { body });
const putBlock = (url: string, id: string, data: string) =>
  put(url, `&comp=block&blockid=${encodeURIComponent(base64(id))}`, data);
const listOf = (ids: readonly string[]) =>
  `<?xml version="1.0" encoding="utf-8"?><BlockList>${ids.map((id) => `<Latest>${base64(id)}</Latest>`).join("")}</BlockList>`;
const create = async (job: GivenJob, name: string, more: object = {}) => {
  const made = await twirp(job, "CreateArtifact", { name, version: 4, ...more });
  expect([made.status, made.body?.ok]).toEqual([200, true]);
  return made.body.signedUploadUrl;
};
const finalize = (job: GivenJob, name: string, data: string, more: object = {}) =>
  twirp(job, "FinalizeArtifact", { name, size: String(data.length), hash: sha256(data), ...more });
async function upload(job: GivenJob, name: string, data: string, more: object = {}): Promise<number> {
  const url = await create(job, name, more);
  expect((await putBlock(url, "one", data)).status).toBe(201);
  const done = await finalize(job, name, data);
  expect(done.status).toBe(200);
  return Number(done.body.artifactId);
}
const namesOf = async (job: GivenJob, filter: object = {}) =>
  (await twirp(job, "ListArtifacts", filter)).body.artifacts?.map(({ name }) => name) ?? [];
async function contentOf(job: GivenJob, name: string) {
  const { signedUrl } = (await twirp(job, "GetSignedArtifactURL", { name })).body;
  return call(server, "GET", at(signedUrl));
}

describe("an artifact", () => {
  test("comes in blocks, whose order a list gives", async () => {
    const job = await (await aBench()).running();
    const url = await create(job, "dist");
    expect(url).toStartWith(`${server.url.replace(/\/$/, "")}${NEWER}/UploadArtifact?sig=`);
    for (const [id, data] of Object.entries({ c: "three", a: "one", x: "left out", b: "two" })) {
      const taken = await putBlock(url, id, data);
      expect([taken.status, taken.body]).toEqual([201, "appended"]);
    }
    const arranged = await put(url, "&comp=blocklist", listOf(["a", "b", "c"]));
    expect([arranged.status, arranged.body]).toEqual([201, "created"]);
    const done = await finalize(job, "dist", "onetwothree");
    expect([done.status, done.body.ok]).toEqual([200, true]);
    expect((await finalize(job, "dist", "onetwothree")).body).toEqual(done.body);
    expect((await contentOf(job, "dist")).text).toBe("onetwothree");
    expect((await putBlock(url, "a", "later")).status).toBe(404);
  });

  test("comes in blocks without a name, or whole", async () => {
    const job = await (await aBench()).running();
    const log = await create(job, "log");
    for (const part of ["first", "second"]) expect((await put(log, "&comp=appendBlock", part)).status).toBe(201);
    expect((await put(log, "&comp=block", "third")).status).toBe(201);
    expect((await finalize(job, "log", "firstsecondthird")).body.ok).toBe(true);
    const whole = await create(job, "whole");
    expect((await put(whole, "", "something else")).status).toBe(201);
    expect((await put(whole, "", "all of it")).status).toBe(201);
    expect((await finalize(job, "whole", "all of it")).body.ok).toBe(true);
    expect((await contentOf(job, "whole")).text).toBe("all of it");
    await create(job, "nothing");
    expect((await finalize(job, "nothing", "")).body.ok).toBe(true);
  });

  test("is not there when it is not what was announced", async () => {
    const job = await (await aBench()).running();
    for (const [name, wrong] of [
      ["hash", { hash: sha256("else") }],
      ["size", { size: "3" }],
    ] as const) {
      const url = await create(job, name);
      await putBlock(url, "one", "content");
      expect([name, (await finalize(job, name, "content", wrong)).status]).toEqual([name, 500]);
      expect((await twirp(job, "GetSignedArtifactURL", { name })).status).toBe(404);
      expect((await finalize(job, name, "content")).status).toBe(404);
    }
    expect(await namesOf(job)).toEqual([]);
    await upload(job, "hash", "content");
    expect(await namesOf(job)).toEqual(["hash"]);
  });

  test("has bounds", async () => {
    const job = await (await aBench()).running();
    const url = await create(job, "large");
    expect((await putBlock(url, "a", "x".repeat(2 ** 20 + 1))).status).toBe(413);
    expect((await putBlock(url, "a", "x".repeat(2 ** 20))).status).toBe(201);
    expect((await putBlock(url, "b", "y")).status).toBe(413);
    expect((await put(url, "&comp=blocklist", listOf(["a", "b"]))).status).toBe(400);
    expect((await put(url, "&comp=blocklist", listOf(["a", "a"]))).status).toBe(400);
    for (const text of ["", "no XML", "<Other/>", "<BlockList><Latest><a>1</a></Latest></BlockList>"])
      expect([text, (await put(url, "&comp=blocklist", text)).status]).toEqual([text, 400]);
    expect((await put(url, "&comp=something", "x")).status).toBe(400);
    expect((await putBlock(url, "z".repeat(300), "x")).status).toBe(400);
    for (const name of ["", "a/b", "..", "a\nb", "n".repeat(256)])
      expect([name, (await twirp(job, "CreateArtifact", { name })).status]).toEqual([name, 400]);
  });

  test("whose block is called like a path stays where it belongs", async () => {
    const job = await (await aBench()).running();
    const url = await create(job, "dist");
    expect((await putBlock(url, "../../x", "content")).status).toBe(201);
    expect((await put(url, "&comp=blocklist", listOf(["../../x"]))).status).toBe(201);
    expect((await finalize(job, "dist", "content")).body.ok).toBe(true);
  });

  test("is reached by the address as it was given, and no other", async () => {
    const job = await (await aBench()).running();
    const url = await create(job, "dist");
    const changed = (name: string, value: string) => {
      const other = new URL(url);
      other.searchParams.set(name, value);
      return other.href;
    };
    for (const [name, value] of Object.entries({
      artifactName: "x",
      taskID: "1",
      artifactID: "999",
      sig: "AAAA",
      expires: "4102444800",
    }))
      expect([name, (await putBlock(changed(name, value), "one", "x")).status]).toEqual([name, 401]);
    expect((await putBlock(changed("sig", "A"), "one", "x")).status).toBe(400);
    expect((await putBlock(changed("sig", "?"), "one", "x")).status).toBe(400);
    expect((await call(server, "GET", at(url).replace("UploadArtifact", "DownloadArtifact"))).status).toBe(401);
    expect((await putBlock(url, "one", "x")).status).toBe(201);
  });

  test("is of the job's own run, while the job runs", async () => {
    const { runner, running } = await aBench();
    const [job, other] = [await running(), await running()];
    for (const method of [
      "CreateArtifact",
      "FinalizeArtifact",
      "ListArtifacts",
      "GetSignedArtifactURL",
      "DeleteArtifact",
    ]) {
      const foreign = { name: "x", workflowRunBackendId: String(other.runId) };
      expect([method, (await twirp(job, method, foreign)).status]).toEqual([method, 400]);
      for (const authorization of ["", "Bearer", "Bearer x", `Bearer ${job.runtimeToken}x`, "Basic YTpi"])
        expect([
          method,
          authorization,
          (await twirp(job, method, { name: "x" }, { headers: { authorization } })).status,
        ]).toEqual([method, authorization, 401]);
    }
    await upload(job, "mine", "x");
    expect(await namesOf(other)).toEqual([]);
    await runner.finish(job);
    const late = await twirp(job, "CreateArtifact", { name: "late" });
    expect([late.status, late.text.includes("task is not running")]).toEqual([500, true]);
  });

  test("is found in both spellings, by name and by number, and deleted", async () => {
    const job = await (await aBench()).running();
    const [one, two] = [await upload(job, "one", "1"), await upload(job, "two", "22")];
    expect(await namesOf(job, { nameFilter: "two" })).toEqual(["two"]);
    expect(await namesOf(job, { id_filter: String(one) })).toEqual(["one"]);
    const { artifacts } = (await twirp(job, "ListArtifacts")).body;
    expect(artifacts?.[1]).toMatchObject({
      workflowRunBackendId: String(job.runId),
      databaseId: String(two),
      size: "2",
    });
    expect((await twirp(job, "DeleteArtifact", { name: "two" })).body).toMatchObject({
      ok: true,
      artifactId: String(two),
    });
    expect(await namesOf(job)).toEqual(["one"]);
    for (const method of ["DeleteArtifact", "GetSignedArtifactURL"])
      expect((await twirp(job, method, { name: "two" })).status).toBe(404);
    for (const body of [{ name: 5 }, { name: "x", size: -1 }, { name: "x", size: "1e3" }])
      expect((await twirp(job, "FinalizeArtifact", body)).status).toBe(400);
  });

  test("of another attempt stays beside one of the same name", async () => {
    const { path, runner, running } = await aBench();
    const job = await running();
    const first = await upload(job, "dist", "old");
    await upload(job, "kept", "from the first");
    await runner.finish(job, Result.FAILURE);
    expect((await api("POST", `${path}/runs/${job.runId}/rerun`, ada)).status).toBe(201);
    const again = await runner.take();
    expect(await namesOf(again)).toEqual(["dist", "kept"]);
    expect((await contentOf(again, "dist")).text).toBe("old");
    const second = await upload(again, "dist", "new");
    expect(second).not.toBe(first);
    expect((await contentOf(again, "dist")).text).toBe("new");
    const all = await api<{ total_count: number }>("GET", `${path}/runs/${job.runId}/artifacts?name=dist`, ada);
    expect(all.body.total_count).toBe(2);
  });

  test("that no zip is, is saved under its own name", async () => {
    const job = await (await aBench()).running();
    await upload(job, "page.html", "<script>alert(1)</script>", { mimeType: "text/html" });
    const { headers } = await contentOf(job, "page.html");
    expect([headers.get("content-type"), headers.get("content-disposition")]).toEqual([
      "text/html",
      "attachment; filename=page.html",
    ]);
    await upload(job, "dist", "zip", { mimeType: "zip" });
    expect((await contentOf(job, "dist")).headers.get("content-disposition")).toBe("attachment; filename=dist.zip");
  });
});

interface Shown {
  readonly id: number;
  readonly name: string;
  readonly expired: boolean;
  readonly created_at: string;
  readonly expires_at: string;
}
interface List {
  readonly artifacts: readonly Shown[];
  readonly total_count: number;
}

describe("over REST", () => {
  test("artifacts are listed, shown, handed out and deleted", async () => {
    const { path, repo, running } = await aBench({ isPrivate: true });
    const job = await running();
    const id = await upload(job, "dist", "zip content");
    const url = `${server.url}api/v1${path}/artifacts/${id}`;
    const one = await api<Shown>("GET", `${path}/artifacts/${id}`, ada);
    expect(one.body).toMatchObject({
      id,
      name: "dist",
      size_in_bytes: 11,
      url,
      archive_download_url: `${url}/zip`,
      expired: false,
      workflow_run: { id: job.runId, repository_id: repo.id, pull_requests: null, previous_attempt_url: null },
    });
    for (const list of ["artifacts", "artifacts?name=dist", `runs/${job.runId}/artifacts`])
      expect((await api<List>("GET", `${path}/${list}`, ada)).body).toEqual({ artifacts: [one.body], total_count: 1 });
    for (const list of ["artifacts?name=none", "runs/999999/artifacts"])
      expect((await api<List>("GET", `${path}/${list}`, ada)).body).toEqual({ artifacts: [], total_count: 0 });

    const to = await api("GET", `${path}/artifacts/${id}/zip`, ada);
    const location = to.headers.get("location") ?? "";
    expect([to.status, location.startsWith(`${url}/zip/raw?sig=`)]).toEqual([302, true]);
    const file = await call(server, "GET", at(location));
    expect([file.status, file.headers.get("content-type"), file.text]).toEqual([200, "application/zip", "zip content"]);
    expect(file.headers.get("content-disposition")).toBe("attachment; filename=dist.zip");
    const part = await call(server, "GET", at(location), { headers: { range: "bytes=4-6" } });
    expect([part.status, part.text]).toEqual([206, "con"]);
    const otherId = at(location).replace(`/${id}/`, `/${id + 1}/`);
    const changed = ["sig", "expires"].map((name) => at(location).replace(new RegExp(`${name}=[^&]*`), `$&1`));
    for (const target of [...changed, otherId])
      expect([target, (await call(server, "GET", target)).status]).toEqual([target, 401]);
    const bare = await call(server, "GET", `/api/v1${path}/artifacts/${id}/zip/raw`);
    expect([bare.status, bare.body]).toMatchObject([401, { message: "Error unauthorized" }]);

    for (const rest of ["artifacts", `artifacts/${id}`, `artifacts/${id}/zip`])
      for (const who of [undefined, bob]) expect((await api("GET", `${path}/${rest}`, who)).status).toBe(404);
    const other = await aBench();
    expect((await api("GET", `${other.path}/artifacts/${id}`, ada)).status).toBe(404);
    expect((await api("DELETE", `${other.path}/artifacts/${id}`, ada)).status).toBe(404);
    expect((await api("DELETE", `${path}/artifacts/${id}`, ada)).status).toBe(204);
    const gone = await api("GET", `${path}/artifacts/${id}`, ada);
    expect([gone.status, gone.body]).toMatchObject([404, { message: "artifact not found" }]);
    expect((await call(server, "GET", at(location))).status).toBe(401);
  });

  test("only writers delete them", async () => {
    const { path, running } = await aBench();
    const id = await upload(await running(), "dist", "x");
    expect((await api("DELETE", `${path}/artifacts/${id}`, bob)).status).toBe(403);
    expect((await api("GET", `${path}/artifacts/${id}`)).status).toBe(200);
  });

  test("what was not finished does not show", async () => {
    const { path, running } = await aBench();
    const job = await running();
    await putBlock(await create(job, "half"), "one", "x");
    expect((await api<List>("GET", `${path}/artifacts`, ada)).body.total_count).toBe(0);
  });

  test("a run that is deleted takes its artifacts along", async () => {
    const { path, runner, running } = await aBench();
    const job = await running();
    const id = await upload(job, "dist", "only here");
    await runner.finish(job);
    const { blobs } = server.services;
    expect(blobs.of("actions-artifacts", String(id))).toBeDefined();
    expect((await api("DELETE", `${path}/runs/${job.runId}`, ada)).status).toBe(204);
    expect(blobs.of("actions-artifacts", String(id))).toBeUndefined();
  });
});

describe("the time of an artifact", () => {
  const daysOf = ({ created_at, expires_at }: Shown) => (Date.parse(expires_at) - Date.parse(created_at)) / 86_400_000;

  test("is ninety days, or as its job says, and then its file goes", async () => {
    const { path, running } = await aBench();
    const job = await running();
    const until = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const plain = await upload(job, "plain", "x");
    const short = await upload(job, "short", "x", { expiresAt: until(5.5) });
    const long = await upload(job, "long", "x", { expiresAt: until(99_999) });
    const past = await upload(job, "past", "x", { expiresAt: until(-5) });
    const shown = async (id: number) => (await api<Shown>("GET", `${path}/artifacts/${id}`, ada)).body;
    const days = await Promise.all([plain, short, long, past].map(async (id) => Math.round(daysOf(await shown(id)))));
    expect(days).toEqual([90, 5, 3650, 1]);

    const { db } = server.core;
    db.query("UPDATE actions_artifacts SET expires_at = ? WHERE id = ?").run(Date.now() - 1000, short);
    expect((await shown(short)).expired).toBe(true);
    const over = await api("GET", `${path}/artifacts/${short}/zip`, ada);
    expect([over.status, over.body]).toMatchObject([404, { message: "Artifact has expired" }]);
    expect(await namesOf(job)).toEqual(["long", "past", "plain"]);
    const { artifacts, blobs } = server.services;
    expect(artifacts.expire(100)).toBe(1);
    expect(artifacts.expire(100)).toBe(0);
    expect(blobs.of("actions-artifacts", String(short))).toBeUndefined();
    expect(await shown(short)).toMatchObject({ id: short, expired: true });
  });

  test("that nobody finished is a day", async () => {
    const { running } = await aBench();
    const job = await running();
    await putBlock(await create(job, "half"), "one", "x");
    const { artifacts } = server.services;
    expect(artifacts.discardUnfinished(Date.now() - 86_400_000, 100)).toBe(0);
    expect(artifacts.discardUnfinished(Date.now() + 1000, 100)).toBeGreaterThan(0);
    expect((await finalize(job, "half", "x")).status).toBe(404);
  });
});

test("what artifacts take counts for the owner, from the first block on", async () => {
  const counted = await aServer({ "quota.enabled": true, "quota.default_total": "100 kB" });
  const eve = await aUser(counted, { login: "eve" });
  const repo = aRepo(counted, eve.user);
  const runner = await aRunner(counted, seen(counted, repo, eve));
  await aRun(counted, repo, flow);
  const job = await runner.take();
  const ask = (method: string, body: object) =>
    call<Made>(counted, "POST", `${NEWER}/${method}`, {
      headers: { authorization: `Bearer ${job.runtimeToken}` },
      body: { workflowRunBackendId: String(job.runId), ...body },
    });
  const usage = async () => {
    type Used = { used: { size: { assets: { artifacts: number } } } };
    return (await call<Used>(counted, "GET", "/api/v1/user/quota", { token: eve.token })).body.used.size.assets
      .artifacts;
  };
  const url = (await ask("CreateArtifact", { name: "dist" })).body.signedUploadUrl.slice(counted.url.length - 1);
  const block = (id: string, bytes: number) =>
    call(counted, "PUT", `${url}&comp=block&blockid=${id}`, { body: "x".repeat(bytes) });
  expect((await block("YQ==", 60_000)).status).toBe(201);
  expect(await usage()).toBe(60_000);
  expect((await block("YQ==", 50_000)).status).toBe(201);
  expect(await usage()).toBe(50_000);
  expect((await block("Yg==", 90_000)).status).toBe(413);
  expect((await ask("FinalizeArtifact", { name: "dist", size: "50000" })).status).toBe(200);
  expect(await usage()).toBe(50_000);
  type Held = { name: string; size: number; html_url: string }[];
  const { body } = await call<Held>(counted, "GET", "/api/v1/user/quota/artifacts", { token: eve.token });
  expect(body).toEqual([
    { name: "dist", size: 50_000, html_url: `${counted.url}eve/${repo.name}/actions/runs/${job.runId}` },
  ]);
  counted.core.db.execute("UPDATE repository_usage SET artifacts = 7");
  recountRepositories(counted.core.db, 0, 100);
  expect(await usage()).toBe(50_000);
  expect((await ask("DeleteArtifact", { name: "dist" })).status).toBe(200);
  expect(await usage()).toBe(0);
  expect(counted.errors).toEqual([]);
  await counted.close();
});
