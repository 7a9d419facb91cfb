import { expect, test } from "bun:test";
import { call, type TestUser } from "../../builders.ts";
import { tgz } from "./archives.ts";
import { sharedWorld } from "./world.ts";

/** Boxes of Vagrant (contract packages.md 9.5). */

const world = sharedWorld();

const BASE = "/api/packages/ada/vagrant";
const aBox = (info: object | string = { description: "A box" }) =>
  tgz([
    ["box.img", "disk"],
    ["info.json", typeof info === "string" ? info : JSON.stringify(info)],
  ]);
const put = (path: string, body: string | Uint8Array, who: TestUser | undefined = world.ada) =>
  call(world.server, "PUT", `${BASE}${path}`, { token: who?.token, body });
const get = (path: string, token?: string) => call(world.server, "GET", `${BASE}${path}`, { token });

test("versions come in their order, each with its providers and checksums", async () => {
  const box = await aBox({ Short_Description: "A box", URL: "https://example.org/box", author: 7 });
  for (const path of ["1.10.0/virtualbox", "1.9.0/libvirt", "1.9.0/VirtualBox"])
    expect((await put(`/ubuntu/${path}.box`, box)).status).toBe(201);
  const { body, headers } = await get("/ubuntu");
  expect(headers.get("content-type")).toBe("application/json");
  const checksum = new Bun.CryptoHasher("sha512").update(box).digest("hex");
  const provider = (version: string, name: string) => ({
    name,
    url: `${world.server.url}api/packages/ada/vagrant/ubuntu/${version}/${name}.box`,
    checksum,
    checksum_type: "sha512",
  });
  expect(body).toEqual({
    name: "ubuntu",
    description: "A box",
    versions: [
      {
        version: "1.9.0",
        status: "active",
        providers: [provider("1.9.0", "libvirt"), provider("1.9.0", "virtualbox")],
      },
      { version: "1.10.0", status: "active", providers: [provider("1.10.0", "virtualbox")] },
    ],
  });
  const fetched = await fetch(provider("1.9.0", "virtualbox").url);
  expect(Buffer.from(await fetched.arrayBuffer())).toEqual(box);
  const head = await call(world.server, "HEAD", `${BASE}/ubuntu`);
  expect([head.status, head.headers.get("content-type")]).toEqual([200, headers.get("content-type")]);
  // Names as on Vagrant's own cloud.
  expect((await get("/ada/ubuntu")).body).toEqual(body);
});

test("a box is published once for a provider, and goes with its version", async () => {
  const box = await aBox();
  expect((await put("/once/1.0.0/libvirt.box", box)).status).toBe(201);
  const again = await put("/once/1.0/libvirt.box", box);
  expect([again.status, again.body]).toEqual([409, { errors: ["package file already exists"] }]);
  const gone = await call(world.server, "DELETE", "/api/v1/packages/ada/vagrant/once/1.0.0", {
    token: world.ada.token,
  });
  expect(gone.status).toBe(204);
  const missing = await get("/once");
  expect([missing.status, missing.body]).toEqual([404, { errors: ["package does not exist"] }]);
});

test.each(["/authenticate", "/api/v2/authenticate"])("signing in at %s is told to be good or not", async (path) => {
  expect((await get(path, world.ada.token)).status).toBe(200);
  const refused = await get(path);
  expect([refused.status, refused.body]).toEqual([401, { errors: ["Invalid access token"] }]);
});

test("who may not write is asked for other credentials", async () => {
  for (const who of [world.bob, undefined]) {
    const refused = await call(world.server, "PUT", `${BASE}/a/1.0.0/b.box`, { token: who?.token, body: await aBox() });
    expect([refused.status, refused.text]).toEqual([401, "reqPackageAccess\n"]);
  }
});

test.each([
  ["a version that is none", "/a/one/libvirt.box", () => aBox()],
  ["another ending", "/a/1.0.0/libvirt.zip", () => aBox()],
  ["no provider", "/a/1.0.0/.box", () => aBox()],
  ["a path for a name", "/a%2Fb/1.0.0/libvirt.box", () => aBox()],
  ["no archive", "/a/1.0.0/libvirt.box", async () => "plain text"],
  ["nothing", "/a/1.0.0/libvirt.box", async () => ""],
  ["an archive that breaks off", "/a/1.0.0/libvirt.box", async () => (await aBox()).subarray(0, 40)],
  ["a description that is no JSON", "/a/1.0.0/libvirt.box", () => aBox("{")],
  ["a description that is a list", "/a/1.0.0/libvirt.box", () => aBox("[]")],
])("%s is refused, and nothing is left", async (_, path, body) => {
  expect((await put(path, await body())).status).toBe(400);
  expect((await get("/a")).status).toBe(404);
});
