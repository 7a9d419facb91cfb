import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asAccount } from "../../../src/access/principal.ts";
import type { User } from "../../../src/access/user.ts";
import { anApi, aRepo, aServer, aToken, aUser, call, type TestServer, type TestUser } from "../../builders.ts";

/** Releases over REST: what becomes of their tags, drafts, and files (contract repositories.md 17). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
const api = anApi(() => server);

interface Shown {
  readonly id: number;
  readonly tag_name: string;
  readonly draft: boolean;
  readonly assets: readonly { readonly id: number; readonly uuid: string; readonly download_count: number }[];
}

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const at = (name: string) => `/repos/ada/${name}/releases`;
function aRepository(name: string, owner: User = ada.user): string {
  aRepo(server, owner, { name, files: { "a.md": "a\n" } });
  return at(name);
}
const upload = (path: string, body: BodyInit) =>
  fetch(new URL(`/api/v1${path}`, server.url), {
    method: "POST",
    body,
    headers: { authorization: `Bearer ${ada.token}` },
  });

describe("a release and its tag", () => {
  test("a tag that goes with a push makes a draft of its release", async () => {
    const path = aRepository("pushed");
    const made = await api<Shown>("POST", path, ada, { tag_name: "v1", name: "One" });
    expect(made.status).toBe(201);
    // Pages and the API keep the tag; a push does not ask.
    expect((await api("DELETE", "/repos/ada/pushed/tags/v1", ada)).status).toBe(409);
    const repo = server.services.repos.see(asAccount(ada.user), "ada", "pushed", () => "");
    const tag = server.services.refs.find(repo.repo.id, "refs/tags/v1");
    if (!tag) throw new Error("the tag is missing");
    await server.services.refs.change(repo.repo.id, {
      principal: asAccount(ada.user),
      changes: [{ name: "refs/tags/v1", oldOid: tag.oid, newOid: null }],
      atomic: true,
    });
    const after = await api<Shown>("GET", `${path}/${made.body.id}`, ada);
    expect([after.status, after.body.draft]).toEqual([200, true]);
    expect((await api("GET", `${path}/${made.body.id}`, bob)).status).toBe(404);
    expect((await api<{ release_counter: number }>("GET", "/repos/ada/pushed", bob)).body.release_counter).toBe(0);
  });

  test("a refused tag leaves no release, a refused release no tag", async () => {
    const path = aRepository("whole");
    await api("POST", "/repos/ada/whole/tag_protections", ada, { name_pattern: "kept*", whitelist_usernames: ["bob"] });
    expect((await api("POST", path, ada, { tag_name: "kept-1" })).status).toBe(422);
    await api("POST", path, ada, { tag_name: "Taken", draft: true });
    expect((await api("POST", path, ada, { tag_name: "taken" })).status).toBe(409);
    expect((await api<unknown[]>("GET", "/repos/ada/whole/tags", ada)).body).toEqual([]);
    expect((await api<Shown[]>("GET", path, ada)).body.map(({ tag_name }) => tag_name)).toEqual(["Taken"]);
  });

  test("hostile values are refused, or cut", async () => {
    const path = aRepository("hostile");
    for (const tag_name of ["", " ", "a b", "../x", "a..b", "x".repeat(5_000), "\u0000", "@{", "a\nb"])
      expect([tag_name.slice(0, 9), (await api("POST", path, ada, { tag_name })).status]).toEqual([
        tag_name.slice(0, 9),
        422,
      ]);
    for (const body of [
      { tag_name: 7 },
      { tag_name: ["a"] },
      { tag_name: "v", draft: "perhaps" },
      { tag_name: "v", body: {} },
    ])
      expect((await api("POST", path, ada, body)).status).toBe(422);
    expect((await api("POST", path, ada, { tag_name: "v", body: "x".repeat(1_000_001) })).status).toBe(422);
    expect((await api("POST", path, ada, { tag_name: "v", target_commitish: "x\u0000y" })).status).toBe(404);
    expect((await api<unknown[]>("GET", path, ada)).body).toEqual([]);
  });
});

describe("files", () => {
  test("go with the release, drafts' files are drafts", async () => {
    const path = aRepository("files");
    const { body: release } = await api<Shown>("POST", path, ada, { tag_name: "v1", draft: true });
    const made = await upload(`${path}/${release.id}/assets?name=a.bin`, "some bytes");
    expect(made.status).toBe(201);
    const { uuid } = (await made.json()) as { uuid: string };
    const places = [
      `/attachments/${uuid}`,
      "/ada/files/releases/download/v1/a.bin",
      `/ada/files/releases/attachments/${uuid}`,
    ];
    for (const place of places) expect([place, (await call(server, "GET", place)).status]).toEqual([place, 404]);
    await api("PATCH", `${path}/${release.id}`, ada, { draft: false });
    for (const place of places) expect([place, (await call(server, "GET", place)).text]).toEqual([place, "some bytes"]);
    const [asset] = (await api<Shown>("GET", `${path}/latest`, ada)).body.assets;
    expect(asset?.download_count).toBe(3);
    expect((await api("DELETE", `${path}/tags/V1`, ada)).status).toBe(204);
    for (const place of places) expect([place, (await call(server, "GET", place)).status]).toEqual([place, 404]);
  });

  test("are of one release only, and named", async () => {
    const path = aRepository("named");
    const { body: one } = await api<Shown>("POST", path, ada, { tag_name: "v1" });
    const { body: two } = await api<Shown>("POST", path, ada, { tag_name: "v2" });
    const made = (await (await upload(`${path}/${one.id}/assets?name=..%2F..%2Fetc%2Fpasswd`, "x")).json()) as Shown & {
      name: string;
    };
    expect(made.name).toBe("passwd");
    expect((await api("GET", `${path}/${two.id}/assets/${made.id}`, ada)).status).toBe(404);
    expect((await api("DELETE", `${path}/${two.id}/assets/${made.id}`, ada)).status).toBe(404);
    expect((await upload(`${path}/${one.id}/assets`, "x")).status).toBe(400);
    const form = new FormData();
    form.append("wrong", new Blob(["x"]), "a.txt");
    expect((await upload(`${path}/${one.id}/assets`, form)).status).toBe(400);
  });
});

test("a reading token sees no drafts, of its owner either", async () => {
  const path = aRepository("scoped");
  const { body } = await api<Shown>("POST", path, ada, { tag_name: "v1", draft: true });
  const reading = { token: aToken(server, ada.user, ["read:repository"]) };
  for (const where of [`${path}/${body.id}`, `${path}/tags/v1`, `${path}/${body.id}/assets`])
    expect([where, (await api("GET", where, reading)).status]).toEqual([where, 404]);
  expect((await api<unknown[]>("GET", path, reading)).body).toEqual([]);
});

test("a file of a release takes a token for repositories at every address, and none for issues", async () => {
  const path = aRepository("downloads");
  const { body } = await api<Shown>("POST", path, ada, { tag_name: "v1" });
  const made = (await (await upload(`${path}/${body.id}/assets?name=a.bin`, "some bytes")).json()) as { uuid: string };
  const as = async (place: string, scope: string) =>
    (await call(server, "GET", place, { token: aToken(server, ada.user, [scope]) })).status;
  for (const place of [
    `/attachments/${made.uuid}`,
    `/ada/downloads/attachments/${made.uuid}`,
    `/ada/downloads/releases/attachments/${made.uuid}`,
    "/ada/downloads/releases/download/v1/a.bin",
  ])
    expect([place, await as(place, "read:repository"), await as(place, "read:issue")]).toEqual([place, 200, 403]);
});
