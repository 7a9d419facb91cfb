import { expect, test } from "bun:test";
import { tar } from "./archives.ts";
import { aName, aRegistry, type Bytes, fetched, gem, hash, type Publishing, sharedWorld } from "./world.ts";

/** Gems of Ruby: the lists that clients read, gems for platforms, and what is yanked (contract packages.md 9.13). */

const world = sharedWorld();
const registry = aRegistry(() => world.server);
const get = async (path: string) => {
  const { bytes, headers, status } = await fetched(world.server, `ada/rubygems${path}`);
  return { status, headers, text: bytes.toString("latin1"), bytes };
};
const publish = async ({ body, path }: Publishing) =>
  (await registry("POST", `ada/rubygems${path}`, world.ada, body)).status;
const yank = async (fields: Record<string, string>) =>
  (await registry("DELETE", `ada/rubygems/api/v1/gems/yank?${new URLSearchParams(fields)}`, world.ada)).status;

/** A gem of that platform that needs another gem. */
function gemFor(platform: string, name: string, dependency: string): { publishing: Publishing; content: Bytes } {
  const metadata = `--- !ruby/object:Gem::Specification
name: ${name}
version: !ruby/object:Gem::Version
  version: 1.0.0
platform: ${platform}
dependencies:
- !ruby/object:Gem::Dependency
  name: ${dependency}
  requirement: !ruby/object:Gem::Requirement
    requirements: []
  type: :runtime
`;
  const content = tar([["metadata.gz", Bun.gzipSync(new Uint8Array(Buffer.from(metadata)))]]);
  return { publishing: { ...gem(name), body: content }, content };
}

test("releases, the highest of each gem, and prereleases are listed apart", async () => {
  const [one, two] = [aName(), aName()];
  for (const version of ["1.9.0", "1.10.0", "1.2.0", "2.0.0.pre"]) expect(await publish(gem(one, version))).toBe(201);
  expect(await publish(gem(two, "0.1.0.rc1"))).toBe(201);
  const listed = async (list: string) => {
    const { bytes } = await get(`/${list}.4.8.gz`);
    const text = Buffer.from(Bun.gunzipSync(new Uint8Array(bytes))).toString("latin1");
    return ["1.2.0", "1.9.0", "1.10.0", "2.0.0.pre", "0.1.0.rc1"].filter((version) => text.includes(version));
  };
  expect(await listed("specs")).toEqual(["1.2.0", "1.9.0", "1.10.0"]);
  expect(await listed("latest_specs")).toEqual(["1.10.0"]);
  expect(await listed("prerelease_specs")).toEqual(["2.0.0.pre", "0.1.0.rc1"]);
});

test("a version has a gem for each platform, with what that one needs", async () => {
  const name = aName();
  const java = gemFor("java", name, "needed-by-java");
  const ruby = gemFor("ruby", name, "needed-by-ruby");
  for (const { publishing } of [java, ruby]) expect(await publish(publishing)).toBe(201);
  for (const { publishing } of [java, ruby]) expect(await publish(publishing)).toBe(409);
  const info = (await get(`/info/${name}`)).text;
  expect(info.split("\n").slice(1, -1).sort()).toEqual([
    `1.0.0 needed-by-ruby:>= 0|checksum:${hash("sha256", ruby.content)}`,
    `1.0.0-java needed-by-java:>= 0|checksum:${hash("sha256", java.content)}`,
  ]);
  const line = (await get("/versions")).text.split("\n").find((each) => each.startsWith(`${name} `));
  expect(line?.split(" ").slice(1)).toEqual(["1.0.0-java,1.0.0", hash("md5", info)]);
  for (const [file, { content }] of [
    [`${name}-1.0.0.gem`, ruby],
    [`${name}-1.0.0-java.gem`, java],
  ] as const)
    expect(hash("sha256", (await get(`/gems/${file}`)).bytes)).toBe(hash("sha256", content));
  const { inflateSync } = await import("node:zlib");
  const described = await get(`/quick/Marshal.4.8/${name}-1.0.0-java.gemspec.rz`);
  expect(inflateSync(described.bytes).toString("latin1")).toContain("needed-by-java");
});

test("a platform's gem is yanked alone, and without a platform the one that has none", async () => {
  const name = aName();
  for (const platform of ["ruby", "java", "x86_64-linux"]) await publish(gemFor(platform, name, "other").publishing);
  const left = async () => (await get(`/info/${name}`)).text.match(/^1\.0\.0\S*/gm)?.sort();
  const version = "1.0.0";
  expect(await yank({ gem_name: name, version, platform: "java" })).toBe(200);
  expect(await yank({ gem_name: name, version, platform: "java" })).toBe(404);
  expect(await left()).toEqual(["1.0.0", "1.0.0-x86_64-linux"]);
  expect(await yank({ gem_name: name, version })).toBe(200);
  expect(await left()).toEqual(["1.0.0-x86_64-linux"]);
  expect(await yank({ gem_name: name, version })).toBe(200);
  expect((await get(`/info/${name}`)).status).toBe(404);
});

test("clients that keep the compact index ask only for what was added", async () => {
  const name = aName();
  await publish(gem(name));
  for (const path of [`/info/${name}`, "/versions"]) {
    const whole = await get(path);
    // Bundler compares the tag with the MD5 of what it has.
    expect(whole.headers.get("etag")).toBe(`"${hash("md5", whole.text)}"`);
    const asked = (headers: Record<string, string>) =>
      fetch(`${world.server.url}api/packages/ada/rubygems${path}`, { headers });
    expect((await asked({ "if-none-match": `"${hash("md5", whole.text)}"` })).status).toBe(304);
    const rest = await asked({ range: "bytes=3-" });
    expect([rest.status, await rest.text()]).toEqual([206, whole.text.slice(3)]);
    expect(rest.headers.get("etag")).toBe(whole.headers.get("etag"));
  }
});
