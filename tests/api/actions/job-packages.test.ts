import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Repo } from "../../../src/repos/types.ts";
import { anApi, aRepo, aServer, aUser, type Json, type TestServer, type TestUser } from "../../builders.ts";
import { aName, aRegistry, cargo, digestOf, npm, type Publishing, send } from "../packages/world.ts";
import type { GivenJob, MadeRunner } from "./made-runner.ts";
import { aRun, aRunner, seen } from "./world.ts";

/** What jobs do with packages: those of their own repository, as far as the workflow lets them (contract actions.md 7.1). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let vault: Repo;
let runner: MadeRunner;
const api = anApi(() => server);
const registry = aRegistry(() => server);

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
  vault = aRepo(server, ada.user, { name: "vault", isPrivate: true });
  aRepo(server, ada.user, { name: "open" });
  aRepo(server, ada.user, { name: "hidden", isPrivate: true });
  runner = await aRunner(server, seen(server, vault, ada));
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

async function running(permissions = "", isOfFork = false): Promise<GivenJob> {
  const source = `on: push\n${permissions}jobs:\n  b:\n    runs-on: self\n    steps: [{run: a}]\n`;
  await aRun(server, vault, source, { isOfFork });
  return runner.take();
}

type Who = Pick<TestUser, "token">;
const file = (name: string, version = "1.0", owner = "ada") => `${owner}/generic/${name}/${version}/kit.bin`;
const put = async (who: Who, at: string) => (await registry<unknown>("PUT", at, who, "content")).status;
const get = async (who: Who, at: string) => (await registry<unknown>("GET", at, who)).status;
const publish = async (who: Who, type: string, { body, method, path }: Publishing) =>
  (await registry<unknown>(method, `ada/${type}${path}`, who, body)).status;
const rest = async (who: Who, method: string, path: string) => (await api(method, `/packages/ada/${path}`, who)).status;

test("what a job publishes is its repository's, and the next job goes on with it", async () => {
  const name = aName();
  const job = await running();
  expect(await put(job, file(name))).toBe(201);
  const { body } = await api<Json>("GET", `/packages/ada/generic/${name}/1.0`, ada);
  expect(body).toMatchObject({ creator: { login: "gitea-actions" }, repository: { full_name: "ada/vault" } });
  // As with everything of a private repository.
  expect(await get(bob, file(name))).toBe(404);
  await runner.finish(job);
  expect(await put(job, file(name, "2.0"))).toBe(401);
  const next = await running();
  expect(await put(next, file(name, "2.0"))).toBe(201);
  expect(await get(next, file(name))).toBe(200);
  expect(await rest(next, "DELETE", `generic/${name}/1.0`)).toBe(204);
  expect((await registry("DELETE", file(name, "2.0"), next)).status).toBe(204);
});

describe("packages that are not its repository's", () => {
  for (const linked of [undefined, "open", "vault"])
    test(`it ${linked === "vault" ? "changes" : "only reads"} one that belongs to ${linked ?? "no repository"}`, async () => {
      const [crate, kit] = [aName(), aName()];
      const job = await running();
      expect([await publish(ada, "cargo", cargo(crate)), await publish(ada, "npm", npm(kit))]).toEqual([200, 201]);
      for (const at of linked ? [`cargo/${crate}`, `npm/${kit}`] : [])
        expect(await rest(ada, "POST", `${at}/-/link/${linked}`)).toBe(201);
      const yank = await registry("DELETE", `ada/cargo/api/v1/crates/${crate}/1.0.0/yank`, job);
      const tag = await registry("PUT", `ada/npm/-/package/${kit}/dist-tags/next`, job, '"1.0.0"');
      const done = [
        await publish(job, "cargo", cargo(crate, "2.0.0")),
        yank.status,
        tag.status,
        await rest(job, "POST", `cargo/${crate}/-/link/vault`),
        await rest(job, "POST", `cargo/${crate}/-/unlink`),
        await rest(job, "DELETE", `npm/${kit}/1.0.0`),
        await rest(job, "DELETE", `cargo/${crate}`),
      ];
      // It is linked already, and takes its owner to be unlinked.
      expect(done).toEqual(
        linked === "vault" ? [200, 200, 200, 400, 403, 204, 204] : [403, 403, 403, 403, 403, 403, 403],
      );
      const left = [await rest(ada, "GET", `npm/${kit}/1.0.0`), await rest(ada, "GET", `cargo/${crate}/2.0.0`)];
      expect(left).toEqual(linked === "vault" ? [404, 404] : [200, 404]);
    });

  test("those of another private repository it does not see", async () => {
    const name = aName();
    expect(await put(ada, file(name))).toBe(201);
    expect(await rest(ada, "POST", `generic/${name}/-/link/hidden`)).toBe(201);
    const job = await running();
    expect([await get(job, file(name)), await put(job, file(name, "2.0"))]).toEqual([404, 403]);
    expect((await api<Json[]>("GET", `/packages/ada?q=${name}`, job)).body).toEqual([]);
  });

  test("those of other accounts it reads as everyone does", async () => {
    const name = aName();
    expect(await put(bob, file(name, "1.0", "bob"))).toBe(201);
    const job = await running();
    expect([await get(job, file(name, "1.0", "bob")), await put(job, file(name, "2.0", "bob"))]).toEqual([200, 401]);
  });
});

test("the workflow's permissions say whether it may, and code of strangers may not", async () => {
  for (const [permissions, isOfFork, status] of [
    ["permissions: {packages: write}\n", false, 201],
    ["permissions: {packages: read}\n", false, 401],
    ["permissions: {contents: write}\n", false, 401],
    ["permissions: write-all\n", true, 401],
  ] as const)
    expect([permissions, await put(await running(permissions, isOfFork), file(aName()))]).toEqual([
      permissions,
      status,
    ]);
});

test("it pushes images with the token that it signs in for", async () => {
  const job = await running();
  const signedIn = await send(server, "GET", "/v2/token", undefined, undefined, { basic: ["anyone", job.token] });
  const bearer = { token: String(signedIn.body["token"]) };
  const image = `ada/${aName()}`;
  const blob = (at: string, text: string) =>
    send(server, "POST", `/v2/${at}/blobs/uploads/?digest=${digestOf(text)}`, bearer, text);
  const config = "{}";
  expect((await blob(image, config)).status).toBe(201);
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType,
    config: { mediaType: "application/vnd.oci.image.config.v1+json", digest: digestOf(config), size: config.length },
    layers: [],
  });
  const pushed = () =>
    send(server, "PUT", `/v2/${image}/manifests/one`, bearer, manifest, { headers: { "content-type": mediaType } });
  expect([(await pushed()).status, (await pushed()).status]).toEqual([201, 201]);
  const { body } = await api<Json>("GET", `/packages/ada/container/${image.slice(4)}/one`, ada);
  expect(body["repository"]).toMatchObject({ full_name: "ada/vault" });
  const foreign = aName();
  const other = await send(server, "GET", "/v2/token", undefined, undefined, { basic: ["ada", ada.token] });
  const made = await send(
    server,
    "POST",
    `/v2/ada/${foreign}/blobs/uploads/?digest=${digestOf(config)}`,
    { token: String(other.body["token"]) },
    config,
  );
  expect(made.status).toBe(201);
  expect((await blob(`ada/${foreign}`, "more")).status).toBe(403);
});
