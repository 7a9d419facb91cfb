import { afterAll, beforeAll, expect } from "bun:test";
import { createHash, randomUUID } from "node:crypto";
import {
  type Answer,
  aServer,
  aUser,
  type CallOptions,
  call,
  type Json,
  type TestServer,
  type TestUser,
} from "../../builders.ts";
import { type Entry, tar, tgz, zip } from "./archives.ts";

/** What clients of registries do, as tests do it: the requests that publish one package of each type. */

export const hash = (algorithm: "md5" | "sha1" | "sha256" | "sha512", content: string | Uint8Array) =>
  createHash(algorithm).update(content).digest("hex");
export const digestOf = (content: string | Uint8Array) => `sha256:${hash("sha256", content)}`;

export type Bytes = string | Uint8Array;

/** What the tests of a file share. */
export interface World {
  readonly server: TestServer;
  readonly ada: TestUser;
  readonly bob: TestUser;
}

/** A server with two people, from before the tests of a file until after them; it may have met no errors then. */
export function sharedWorld(): World {
  let made: World | undefined;
  const world = () => {
    if (!made) throw new Error("the world is there while tests run");
    return made;
  };
  beforeAll(async () => {
    const server = await aServer();
    made = { server, ada: await aUser(server, { login: "ada" }), bob: await aUser(server, { login: "bob" }) };
  });
  afterAll(async () => {
    const { errors } = world().server;
    await world().server.close();
    expect(errors).toEqual([]);
  });
  return {
    get server() {
      return world().server;
    },
    get ada() {
      return world().ada;
    },
    get bob() {
      return world().bob;
    },
  };
}

/** Asks the server at hand below `/api/packages`; `at` is `owner/type/…`. */
export function aRegistry(server: () => TestServer) {
  return <Body = Json>(
    method: string,
    at: string,
    who?: Pick<TestUser, "token">,
    body?: Bytes | FormData | object,
    more: CallOptions = {},
  ): Promise<Answer<Body>> => send<Body>(server(), method, `/api/packages/${at}`, who, body, more);
}
export type Registry = ReturnType<typeof aRegistry>;

/** What is fetched of a registry, as it comes. */
export async function fetched(server: TestServer, at: string, who?: Pick<TestUser, "token">) {
  const headers: Record<string, string> = who ? { authorization: `token ${who.token}` } : {};
  const answer = await fetch(`${server.url}api/packages/${at}`, { headers });
  const bytes: Buffer = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, headers: answer.headers, bytes };
}

/** The same anywhere; forms are sent as browsers send them. */
export async function send<Body = Json>(
  server: TestServer,
  method: string,
  path: string,
  who: Pick<TestUser, "token"> | undefined,
  body?: Bytes | FormData | object,
  more: CallOptions = {},
): Promise<Answer<Body>> {
  const coming: CallOptions = who ? { token: who.token, ...more } : more;
  if (!(body instanceof FormData)) return call<Body>(server, method, path, { ...coming, body });
  const form = new Response(body);
  const contentType = form.headers.get("content-type") ?? "";
  return call<Body>(server, method, path, {
    ...coming,
    headers: { ...more.headers, "content-type": contentType },
    body: new Uint8Array(await form.arrayBuffer()),
  });
}

export function form(fields: Readonly<Record<string, string>>, files: Readonly<Record<string, Entry>> = {}): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  for (const [name, [file, content]] of Object.entries(files))
    data.append(name, new Blob([new Uint8Array(Buffer.from(content))]), file);
  return data;
}

/** A name that no other test has. */
export const aName = (prefix = "kit") => `${prefix}${randomUUID().slice(0, 8)}`;

/** One request that publishes. */
export interface Publishing {
  readonly method: "PUT" | "POST";
  /** Below `owner/type`. */
  readonly path: string;
  readonly body: Bytes | FormData | object;
}

export const generic = (name: string, version = "1.0", file = "kit.bin", content: Bytes = "kit"): Publishing => ({
  method: "PUT",
  path: `/${name}/${version}/${file}`,
  body: content,
});

export function npm(name: string, version = "1.0.0", more: object = {}, tag = "latest"): Publishing {
  const tarball = tgz([["package/package.json", JSON.stringify({ name, version })]]);
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  const file = `${name.replace(/^@[^/]+\//, "")}-${version}.tgz`;
  return {
    method: "PUT",
    path: `/${encodeURIComponent(name)}`,
    body: {
      _id: name,
      name,
      "dist-tags": { [tag]: version },
      versions: { [version]: { name, version, ...more, dist: { integrity } } },
      _attachments: { [file]: { data: tarball.toString("base64"), length: tarball.length } },
    },
  };
}

export const pypi = (name: string, version = "1.0.0", content: Bytes = "wheel", more: Record<string, string> = {}) =>
  ({
    method: "POST",
    path: "",
    body: form(
      { ":action": "file_upload", name, version, sha256_digest: hash("sha256", content), ...more },
      { content: [`${name}-${version}.tar.gz`, content] },
    ),
  }) satisfies Publishing;

export function cargo(name: string, version = "1.0.0", more: object = {}): Publishing {
  const crate = tgz([[`${name}-${version}/Cargo.toml`, "[package]\n"]]);
  const document = Buffer.from(JSON.stringify({ name, vers: version, deps: [], features: {}, ...more }));
  const length = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
  };
  return {
    method: "PUT",
    path: "/api/v1/crates/new",
    body: Buffer.concat([length(document.length), document, length(crate.length), crate]),
  };
}

export const go = (module: string, version = "v1.0.0"): Publishing => ({
  method: "PUT",
  path: "/upload",
  body: zip([
    [`${module}@${version}/go.mod`, `module ${module}\n`],
    [`${module}@${version}/kit.go`, "package kit\n"],
  ]),
});

export const helm = (name: string, version = "1.0.0", more = ""): Publishing => ({
  method: "POST",
  path: "/api/charts",
  body: tgz([[`${name}/Chart.yaml`, `apiVersion: v2\nname: ${name}\nversion: ${version}\n${more}`]]),
});

export const composer = (name: string, version = "1.0.0", fields: object = {}): Publishing => ({
  method: "PUT",
  path: `?version=${version}`,
  body: zip([["composer.json", JSON.stringify({ name, ...fields })]]),
});

export function gem(name: string, version = "1.0.0", metadata?: Bytes): Publishing {
  const text = `--- !ruby/object:Gem::Specification
name: ${name}
version: !ruby/object:Gem::Version
  version: ${version}
platform: ruby
summary: A kit
dependencies: []
`;
  const packed = Bun.gzipSync(new Uint8Array(Buffer.from(metadata ?? text)));
  return { method: "POST", path: "/api/v1/gems", body: tar([["metadata.gz", packed]]) };
}

export const maven = (artifact: string, version = "1.0", ending = ".jar", content: Bytes = "jar"): Publishing => ({
  method: "PUT",
  path: `/org/kit/${artifact}/${version}/${artifact}-${version}${ending}`,
  body: content,
});

export const terraform = (name: string, serial = 1): Publishing => ({
  method: "POST",
  path: `/state/${name}`,
  body: { version: 4, serial, lineage: "kit", outputs: {} },
});
