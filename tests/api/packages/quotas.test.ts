import { afterAll, expect, test } from "bun:test";
import type { Config } from "../../../src/config/schema.ts";
import { aServer, aUser, type TestServer } from "../../builders.ts";
import { aName, aRegistry, generic, npm } from "./world.ts";

/** How much the packages of an account may be (contract packages.md 7). */

const servers: TestServer[] = [];
afterAll(async () => {
  for (const server of servers) {
    const { errors } = server;
    await server.close();
    expect(errors).toEqual([]);
  }
});

async function aWorld(settings: Partial<Config>) {
  const server = await aServer(settings);
  servers.push(server);
  const registry = aRegistry(() => server);
  const [ada, root] = [await aUser(server, { login: "ada" }), await aUser(server, { login: "root", isAdmin: true })];
  const put = async (content: string, who = ada, name = aName(), version = "1.0", file = "kit.bin") => {
    const { body, method, path } = generic(name, version, file, content);
    const { status, text } = await registry(method, `${who.login}/generic${path}`, who, body);
    return status === 201 ? "published" : `${status} ${text.trim()}`;
  };
  return { ada, put, registry, root, server };
}

test("the size of a file, by its type", async () => {
  const { ada, put, registry, root } = await aWorld({
    "packages.max_file_sizes": ["generic=4 B", "npm=10 B", "conan=4 B", "conda=4 B"],
  });
  const refused = "403 maximum allowed package type size exceeded";
  expect([await put("12345"), await put("1234"), await put("12345", root)]).toEqual([
    refused,
    "published",
    "published",
  ]);
  const name = aName();
  const message = "maximum allowed package type size exceeded";
  for (const [path, body, shape] of [
    [`npm/${name}`, npm(name).body, { error: message }],
    [`conan/v2/conans/${name}/1.0/_/_/revisions/r/files/conanfile.py`, "12345", { message }],
    ["conda/kit.conda", "12345", { reason: "Forbidden", message }],
  ] as const) {
    const sent = await registry("PUT", `ada/${path}`, ada, body);
    expect([path, sent.status, sent.body as object]).toEqual([path, 403, shape]);
  }
});

test("the number of versions: files more of one that is there are none", async () => {
  const { ada, put } = await aWorld({ "packages.max_owner_versions": 2 });
  const name = aName();
  expect([await put("a", ada, name, "1.0"), await put("a", ada, name, "2.0")]).toEqual(["published", "published"]);
  expect(await put("a", ada, name, "3.0")).toBe("403 maximum allowed package count exceeded");
  expect(await put("b", ada, name, "2.0", "more.bin")).toBe("published");
});

test("what all of it adds up to, until some of it goes", async () => {
  const { ada, put, registry } = await aWorld({ "packages.max_owner_size": "10 B" });
  const name = aName();
  expect(await put("1234567", ada, name)).toBe("published");
  expect(await put("1234")).toBe("403 maximum allowed package storage quota exceeded");
  // The same bytes once more are counted once more.
  expect(await put("1234567")).toBe("403 maximum allowed package storage quota exceeded");
  expect(await put("123")).toBe("published");
  expect((await registry("DELETE", `ada/generic/${name}/1.0`, ada)).status).toBe(204);
  expect(await put("7654321")).toBe("published");
});

test("without registries nothing knows of packages", async () => {
  const { ada, registry, server } = await aWorld({ "packages.enabled": false });
  expect((await registry("PUT", "ada/generic/kit/1.0/kit.bin", ada, "a")).status).toBe(404);
  for (const path of ["/v2", "/ada/-/packages", "/api/v1/packages/ada"])
    expect((await fetch(`${server.url.replace(/\/$/, "")}${path}`, { redirect: "manual" })).status).toBe(404);
});
