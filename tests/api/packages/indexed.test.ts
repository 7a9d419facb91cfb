import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { asAccount } from "../../../src/access/principal.ts";
import { anApi, aRepo, aServer, aUser, call, settled, type TestServer, type TestUser } from "../../builders.ts";
import { archPackage } from "./arch-package.ts";
import { rpm } from "./rpm-package.ts";
import { aName, aRegistry, fetched } from "./world.ts";

/** Indices of RPM and Arch: who finds what in them, and when they follow (contract packages.md 1.4, 2.4, 7 and 8). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let eve: TestUser;
let root: TestUser;
const api = anApi(() => server);
const registry = aRegistry(() => server);

beforeAll(async () => {
  server = await aServer({ "packages.max_file_sizes": ["rpm=64 KiB", "arch=64 KiB"], "packages.sign_rpm": true });
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
  eve = await aUser(server, { login: "eve" });
  root = await aUser(server, { login: "root", isAdmin: true });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

type Who = TestUser | undefined;

interface Kind {
  readonly type: "arch" | "rpm";
  /** Below the registry, of a group or repository. */
  upload(place: string): string;
  index(place: string): string;
  file(place: string, name: string): string;
  content(name: string, version?: string): Buffer;
  /** The index as a text that has the names of packages. */
  read(bytes: Buffer): string;
}

const kinds: readonly Kind[] = [
  {
    type: "rpm",
    upload: (place) => `${place}/upload`,
    index: (place) => `${place}/repodata/primary.xml.gz`,
    file: (place, name) => `${place}/package/${name}/1.0-1/x86_64`,
    content: (name, version) => rpm(name, version),
    read: (bytes) => gunzipSync(bytes).toString(),
  },
  {
    type: "arch",
    upload: (place) => place,
    index: (place) => `${place}/x86_64/${place}.db`,
    file: (place, name) => `${place}/x86_64/${name}-1.0-1-x86_64.pkg.tar.zst`,
    content: (name, version) => archPackage(name, version),
    read: (bytes) => gunzipSync(bytes).toString("latin1"),
  },
];

describe.each(kinds)("$type", ({ content, file, index, read, type, upload }) => {
  const publish = async (place: string, name: string, version?: string, owner = ada) =>
    expect(
      (await registry("PUT", `${owner.user.login}/${type}/${upload(place)}`, owner, content(name, version))).status,
    ).toBe(201);
  const names = async (place: string, all: readonly string[], who?: Who, owner = ada) => {
    const { bytes, status } = await fetched(server, `${owner.user.login}/${type}/${index(place)}`, who);
    return status === 200 ? all.filter((name) => read(bytes).includes(`${name}-1.`)) : status;
  };

  test("what belongs to a private repository is in the index of who may read that alone", async () => {
    const [place, open, hidden] = [aName(), aName("open"), aName("hidden")];
    const all = [open, hidden];
    const repo = aRepo(server, ada.user, { isPrivate: true }).name;
    await publish(place, hidden);
    expect((await api("POST", `/packages/ada/${type}/${hidden}/-/link/${repo}`, ada)).status).toBe(201);
    const added = await api("PUT", `/repos/ada/${repo}/collaborators/eve`, ada, { permission: "read" });
    expect(added.status).toBe(204);
    const seen = async () => Promise.all([undefined, bob, eve, ada, root].map((who) => names(place, all, who)));
    // Whoever may be someone who sees it is asked.
    expect(await seen()).toEqual([401, 404, [hidden], [hidden], [hidden]]);
    await publish(place, open);
    expect(await seen()).toEqual([[open], [open], all, all, all]);
    const files = [undefined, bob, eve, ada].map((who) => fetched(server, `ada/${type}/${file(place, hidden)}`, who));
    expect((await Promise.all(files)).map(({ status }) => status)).toEqual([401, 404, 200, 200]);
    expect((await api("DELETE", `/repos/ada/${repo}/collaborators/eve`, ada)).status).toBe(204);
    expect(await names(place, all, eve)).toEqual([open]);
    expect((await api("PATCH", `/repos/ada/${repo}`, ada, { private: false })).status).toBe(200);
    expect(await seen()).toEqual([all, all, all, all, all]);
    expect((await api("PATCH", `/repos/ada/${repo}`, ada, { private: true })).status).toBe(200);
    expect(await names(place, all)).toEqual([open]);
  });

  test("of a private account nothing is seen by others", async () => {
    const login = aName("closed");
    const owner = await aUser(server, { login, visibility: "private" });
    await publish("kits", "kit", "1.0-1", owner);
    for (const at of [index("kits"), file("kits", "kit"), "repository.key"]) {
      const found = await Promise.all(
        [undefined, bob, owner].map((who) => fetched(server, `${login}/${type}/${at}`, who)),
      );
      expect([at, ...found.map(({ status }) => status)]).toEqual([at, 401, 401, 200]);
      expect(found[0]?.headers.get("www-authenticate")).toBe('Basic realm="Gitea Package API"');
    }
  });

  test("the index is no package: in no list, and not to be had or made as one", async () => {
    const owner = await aUser(server, { login: aName("fresh") });
    await publish("kits", "kit", "1.0-1", owner);
    expect(await names("kits", ["kit"], undefined, owner)).toEqual(["kit"]);
    const { body, headers } = await api<{ name: string }[]>("GET", `/packages/${owner.user.login}`, owner);
    expect([body.map(({ name }) => name), headers.get("x-total-count")]).toEqual([["kit"], "1"]);
    const at = `/packages/${owner.user.login}/${type}/_${type}`;
    for (const path of [at, `${at}/_repository`, `${at}/_repository/files`, `${at}/-/latest`])
      expect([path, (await api("GET", path, owner)).status]).toEqual([path, 404]);
    expect((await api("DELETE", at, owner)).status).toBe(404);
    const taken = await registry("PUT", `${owner.user.login}/${type}/${upload("kits")}`, owner, content(`_${type}`));
    expect([taken.status, taken.text]).toEqual([400, "package name is invalid\n"]);
  });

  test("a version that goes by a cleanup rule leaves the index", async () => {
    const owner = await aUser(server, { login: aName("tidy") });
    for (const version of ["1.0-1", "1.1-1"]) await publish("kits", "kit", version, owner);
    expect(await names("kits", ["kit"], undefined, owner)).toEqual(["kit"]);
    const seen = server.services.packagesAccess.see(asAccount(owner.user), owner.user.login);
    if (!seen) throw new Error("the packages are not seen");
    await server.services.packageCleanupRules.create(seen, {
      isEnabled: true,
      type,
      keepCount: 1,
      keepPattern: "",
      removeDays: 0,
      removePattern: "",
      matchFullName: false,
    });
    expect((await api("POST", "/admin/cron/cleanup_packages", root)).status).toBe(204);
    await settled(server);
    expect(await names("kits", ["kit"], undefined, owner)).toEqual(["kit"]);
    const gone = await fetched(server, `${owner.user.login}/${type}/${file("kits", "kit")}`);
    expect(gone.status).toBe(404);
    expect((await api("DELETE", `/packages/${owner.user.login}/${type}/kit`, owner)).status).toBe(204);
    expect(await names("kits", ["kit"], undefined, owner)).toBe(404);
  });

  test("a package may be as large as the type's setting says", async () => {
    const refused = await registry("PUT", `ada/${type}/${upload("large")}`, ada, new Uint8Array(65 << 10));
    expect([refused.status, refused.text]).toEqual([403, "maximum allowed package type size exceeded\n"]);
  });

  test("many at a time are all in the index", async () => {
    const place = aName();
    const all = Array.from({ length: 12 }, (_, at) => `many${String.fromCharCode(97 + at)}`);
    await Promise.all(
      all.map(async (name) => {
        await publish(place, name);
        await names(place, all);
      }),
    );
    expect(await names(place, all)).toEqual(all);
  });

  test("downloads of packages count, those of the index do not", async () => {
    const [place, name] = [aName(), aName("counted")];
    await publish(place, name);
    for (const at of [file(place, name), file(place, name), index(place)]) await fetched(server, `ada/${type}/${at}`);
    await call(server, "HEAD", `/api/packages/ada/${type}/${file(place, name)}`);
    const { packages, packagesAccess } = server.services;
    const seen = packagesAccess.see(asAccount(ada.user), "ada");
    if (!seen) throw new Error("the packages are not seen");
    expect(packages.downloads(packages.version(seen, type, name, "1.0-1"))).toBe(2);
  });
});

test("where the site says so, every package of RPM is signed", async () => {
  const place = aName();
  const content = rpm("kit");
  expect((await registry("PUT", `ada/rpm/${place}/upload`, ada, content)).status).toBe(201);
  const { bytes } = await fetched(server, `ada/rpm/${place}/package/kit/1.0-1/x86_64`);
  expect(bytes.length).toBeGreaterThan(content.length + 1000);
});
