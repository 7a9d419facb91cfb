import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { StepStateSchema } from "../../../src/actions/runners/protocol/runner_pb.ts";
import { aRepo, aServer, aUser, type CallOptions, call, type TestServer, type TestUser } from "../../builders.ts";
import { unzipped } from "../../unzipped.ts";
import type { GivenJob } from "./made-runner.ts";
import { aRun, aRunner, seen } from "./world.ts";

/** Artifacts of the older protocol, file by file, and summaries of steps (contract actions.md 7.2 and 7.4). */

let server: TestServer;
let ada: TestUser;

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const flow = "on: push\njobs:\n  a:\n    runs-on: self\n    steps: [{run: a}, {run: b}]\n";
const md5 = (text: string) => createHash("md5").update(text).digest("hex");

async function aBench() {
  const repo = aRepo(server, ada.user);
  const runner = await aRunner(server, seen(server, repo, ada));
  const running = async () => {
    await aRun(server, repo, flow);
    return runner.take();
  };
  return { repo, runner, running };
}

interface Items {
  readonly value: readonly { readonly path: string; readonly itemType: string; readonly contentLocation: string }[];
}

const pathOf = (job: GivenJob, runId = job.runId) =>
  `/api/actions_pipeline/_apis/pipelines/workflows/${runId}/artifacts`;
const ask = <Body>(job: GivenJob, method: string, path: string, more: CallOptions = {}) =>
  call<Body>(server, method, path, {
    ...more,
    headers: { authorization: `Bearer ${job.runtimeToken}`, ...more.headers },
  });

interface Part {
  readonly range?: string;
  readonly hash?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
}

const put = (job: GivenJob, item: string, data: string | Uint8Array, part: Part = {}) => {
  const {
    hash = md5(item.split(/[\\/]/)[0] ?? ""),
    query = "",
    range = `bytes 0-${data.length - 1}/${data.length}`,
  } = part;
  const path = `${pathOf(job)}/${hash}/upload?itemPath=${encodeURIComponent(item)}${query}`;
  return ask<{ message: string }>(job, "PUT", path, {
    body: data,
    headers: { "content-range": range, ...part.headers },
  });
};
const confirm = (job: GivenJob, name: string) =>
  ask<{ message: string }>(job, "PATCH", `${pathOf(job)}?artifactName=${encodeURIComponent(name)}`);
const itemsOf = async (job: GivenJob, name: string) => {
  const target = `${pathOf(job)}/${md5(name)}/download_url?itemPath=${encodeURIComponent(name)}`;
  return (await ask<Partial<Items>>(job, "GET", target)).body.value ?? [];
};
async function contentOf(job: GivenJob, name: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { contentLocation, path } of await itemsOf(job, name))
    found[path] = (await ask(job, "GET", contentLocation.slice(server.url.length - 1))).text;
  return found;
}

describe("an artifact of files", () => {
  test("is uploaded file by file, listed and downloaded", async () => {
    const job = await (await aBench()).running();
    expect((await ask(job, "GET", pathOf(job))).status).toBe(404);
    const place = await ask<{ fileContainerResourceUrl: string }>(job, "POST", pathOf(job), {
      body: { Type: "actions_storage", Name: "dist", RetentionDays: 5 },
    });
    const upload = `${server.url.replace(/\/$/, "")}${pathOf(job)}/${md5("dist")}/upload`;
    expect(place.body).toEqual({ fileContainerResourceUrl: `${upload}?retentionDays=5` });
    expect((await put(job, "dist/a.txt", "aaa")).body).toEqual({ message: "success" });
    expect((await put(job, "dist\\sub\\b.txt", "bb")).status).toBe(200);
    expect((await confirm(job, "dist")).body).toEqual({ message: "success" });
    expect((await ask(job, "GET", pathOf(job))).body).toEqual({
      count: 1,
      value: [{ name: "dist", fileContainerResourceUrl: upload.replace(/upload$/, "download_url") }],
    });
    expect(await contentOf(job, "dist")).toEqual({ "dist/a.txt": "aaa", "dist/sub/b.txt": "bb" });
  });

  test("comes in chunks in any order, and a file again replaces the first", async () => {
    const job = await (await aBench()).running();
    await put(job, "dist/a.txt", "world", { range: "bytes 6-10/11" });
    await put(job, "dist/a.txt", "hello ", { range: "bytes 0-5/11" });
    await confirm(job, "dist");
    expect(await contentOf(job, "dist")).toEqual({ "dist/a.txt": "hello world" });
    await put(job, "dist/a.txt", "other");
    expect(await contentOf(job, "dist")).toEqual({});
    await confirm(job, "dist");
    expect(await contentOf(job, "dist")).toEqual({ "dist/a.txt": "other" });
  });

  test("of which a chunk is missing is no artifact", async () => {
    const job = await (await aBench()).running();
    await put(job, "dist/a.txt", "world", { range: "bytes 6-10/11" });
    const refused = await confirm(job, "dist");
    expect([refused.status, refused.body]).toMatchObject([400, { message: "parts of a.txt are missing" }]);
    expect((await ask(job, "GET", pathOf(job))).status).toBe(404);
  });

  test("that came compressed is handed out so", async () => {
    const job = await (await aBench()).running();
    const packed = Bun.gzipSync(new TextEncoder().encode("a text that is compressed"));
    const headers = { "content-encoding": "gzip", "x-tfs-filelength": "25" };
    const [first, rest] = [packed.subarray(0, 10), packed.subarray(10)];
    const of = `/${packed.length}`;
    expect((await put(job, "dist/a.txt", first, { headers, range: `bytes 0-9${of}` })).status).toBe(200);
    expect((await put(job, "dist/a.txt", rest, { headers, range: `bytes 10-${packed.length - 1}${of}` })).status).toBe(
      200,
    );
    await confirm(job, "dist");
    expect(await contentOf(job, "dist")).toEqual({ "dist/a.txt": "a text that is compressed" });
    const [item] = await itemsOf(job, "dist");
    const raw = await ask(job, "GET", (item?.contentLocation ?? "").slice(server.url.length - 1));
    expect(raw.headers.get("content-type")).toBe("application/octet-stream");
  });

  test("is one zip for people, whether its files came compressed or not", async () => {
    const { repo, running } = await aBench();
    const job = await running();
    const text = "a line of a log\n".repeat(20_000);
    const headers = { "content-encoding": "gzip" };
    await put(job, "dist/gr\u00fc\u00dfe.log", Bun.gzipSync(new TextEncoder().encode(text)), { headers });
    await put(job, "dist/sub/b.txt", "bb");
    await confirm(job, "dist");
    const page = `${server.url}ada/${repo.name}/actions/runs/${job.runId}/artifacts`;
    const answer = await fetch(`${page}/dist`);
    expect(answer.headers.get("content-disposition")).toContain("dist.zip");
    const files = unzipped(await answer.bytes());
    expect(files.map(({ content, name }) => [Buffer.from(name, "latin1").toString(), content])).toEqual([
      ["gr\u00fc\u00dfe.log", text],
      ["sub/b.txt", "bb"],
    ]);
    expect((await fetch(`${page}/other`)).status).toBe(404);
  });

  test("has many files, or an empty one", async () => {
    const job = await (await aBench()).running();
    const names = Array.from({ length: 60 }, (_, at) => `f${at}`);
    await Promise.all(names.map((name) => put(job, `dist/${name}`, name)));
    expect((await put(job, "dist/empty", "", { range: "bytes 0--1/0" })).status).toBe(200);
    await confirm(job, "dist");
    const found = await contentOf(job, "dist");
    expect([Object.keys(found).length, found["dist/f7"], found["dist/empty"]]).toEqual([61, "f7", ""]);
  });

  test("is refused where it does not fit", async () => {
    const { running } = await aBench();
    const [job, other] = [await running(), await running()];
    const body = { Type: "actions_storage", Name: "x" };
    expect((await call(server, "POST", pathOf(job), { body })).status).toBe(401);
    const foreign = await ask(job, "POST", pathOf(job, other.runId), { body });
    expect([foreign.status, foreign.body]).toMatchObject([400, { message: "run-id does not match" }]);
    const hash = await put(job, "dist/a", "a", { hash: md5("else") });
    expect([hash.status, hash.body.message]).toEqual([400, "Invalid artifact hash"]);
    for (const item of ["di*st/a", "dist", "dist/", "dist/../a", "/a", "dist//a", "../a", `dist/${"a".repeat(2000)}`])
      expect([item, (await put(job, item, "a")).status]).toEqual([item, 400]);
    for (const range of ["", "bytes 0-0", "bytes 0-1/2", "bytes 1-0/1", "bytes 5-5/5", "bytes a-b/c"])
      expect([range, (await put(job, "dist/a", "a", { range })).status]).toEqual([range, 400]);
    const wrong = { "x-actions-results-md5": createHash("md5").update("b").digest("base64") };
    expect((await put(job, "dist/a", "a", { headers: wrong })).status).toBe(500);
    expect((await put(job, "dist/a", "a", { headers: { "content-encoding": "br" } })).status).toBe(400);
    expect((await put(job, "dist/a", "a", { headers: { "x-tfs-filelength": "-1" } })).status).toBe(400);
    const unnamed = await confirm(job, "");
    expect([unnamed.status, unnamed.body.message]).toEqual([400, "Error artifact name is empty"]);
    for (const Name of ["", 5, "a/b"])
      expect((await ask(job, "POST", pathOf(job), { body: { Name } })).status).toBe(400);
    expect((await ask(job, "GET", `${pathOf(job)}/${md5("none")}/download_url?itemPath=none`)).status).toBe(404);
    expect((await ask(job, "GET", `${pathOf(job)}/999999/download`)).status).toBe(404);

    await put(job, "dist/a", "a");
    await confirm(job, "dist");
    for (const [hash, item] of [
      ["else", "dist"],
      ["dist", "else"],
      ["dist", "dist/a"],
    ] as const) {
      const mismatch = await ask(job, "GET", `${pathOf(job)}/${md5(hash)}/download_url?itemPath=${item}`);
      expect([mismatch.status, mismatch.body]).toMatchObject([400, { message: "Error mismatch artifact name" }]);
    }
    const [item] = await itemsOf(job, "dist");
    const id = /(\d+)\/download$/.exec(item?.contentLocation ?? "")?.[1];
    expect((await ask(other, "GET", `${pathOf(other)}/${id}/download`)).status).toBe(400);
  });

  test("takes the job's other token as well, while the job runs, and is not of the API", async () => {
    const { repo, runner, running } = await aBench();
    const job = await running();
    await put(job, "dist/a", "a");
    await confirm(job, "dist");
    const token = { headers: { authorization: `Bearer ${job.token}` } };
    expect((await call(server, "GET", pathOf(job), token)).status).toBe(200);
    const listed = await call<object>(server, "GET", `/api/v1/repos/ada/${repo.name}/actions/artifacts`);
    expect(listed.body).toEqual({ artifacts: [], total_count: 0 });
    await runner.finish(job);
    const late = await call(server, "GET", pathOf(job), token);
    expect([late.status, late.text.includes("task is not running")]).toEqual([500, true]);
  });
});

test("steps write summaries for people, which a copy in a later attempt has too", async () => {
  const { repo, runner, running } = await aBench();
  const job = await running();
  const { actionsRunLists, actionsSummaries } = server.services;
  const jobId =
    server.core.db.query<{ id: number }>("SELECT id FROM actions_jobs WHERE run_id = ?").get(job.runId)?.id ?? 0;
  await runner.update(job, {
    steps: [create(StepStateSchema, { id: 0n, startedAt: timestampFromMs(Date.now()) })],
  });
  const at = (step: number | string, of = jobId) =>
    `/api/actions_pipeline/_apis/pipelines/workflows/${job.runId}/jobs/${of}/steps/${step}/summary`;
  const write = (target: string, body: string, type = "text/markdown") =>
    ask<{ message: string; sizeBytes: number; runAttempt: number }>(job, "PUT", target, {
      body,
      headers: { "content-type": type },
    });
  expect((await write(at(0), "# Hello")).body).toEqual({ message: "success", sizeBytes: 7, runAttempt: 1 });
  expect((await write(at(1), "second", "application/octet-stream")).body.message).toBe("success");
  expect((await write(at(1), "")).body).toEqual({ message: "cleared", sizeBytes: 0, runAttempt: 1 });
  for (const target of [at(2), at("x"), at(-1), at(0, jobId + 1)])
    expect([target, (await write(target, "x")).status]).toEqual([target, 400]);
  expect((await write(at(0), "x", "text/html")).status).toBe(400);
  expect((await write(at(0), "x".repeat(2 ** 20 + 1))).status).toBe(400);
  expect((await write(at(1), "x".repeat(2 ** 20 - 3))).status).toBe(400);
  const run = actionsRunLists.get(seen(server, repo, ada), job.runId);
  expect(actionsSummaries.ofAttempt(run, 1)).toEqual([{ jobId, step: 0, text: "# Hello" }]);
});

test("runners are told that summaries are taken", async () => {
  const { runner } = await aBench();
  const answer = await fetch(`${server.url}api/actions/runner.v1.RunnerService/Declare`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-runner-uuid": runner.uuid, "x-runner-token": runner.token },
    body: "{}",
  });
  expect(answer.headers.get("x-gitea-actions-capabilities")).toBe("job-summary");
});
