import { expect, test } from "bun:test";
import { aToken, call } from "../../builders.ts";
import { type Entry, tgz } from "./archives.ts";
import { aForm } from "./forms.ts";
import { sharedWorld } from "./world.ts";

/** Packages of Dart (contract packages.md 9.4). */

const world = sharedWorld();

const BASE = "/api/packages/ada/pub/api/packages";
const get = <Body>(path: string, token?: string) => call<Body>(world.server, "GET", `${BASE}${path}`, { token });
function upload(file: string | Uint8Array, token: string | undefined = world.ada.token, client = "curl/8") {
  const { body, headers } = aForm([
    { name: "any", content: "field" },
    { name: "file", file: "package.tar.gz", content: file },
  ]);
  return call(world.server, "POST", `${BASE}/versions/new/upload`, {
    token,
    body,
    headers: { ...headers, "user-agent": client },
  });
}
const aPackage = (name: string, version: string, more = "", others: readonly Entry[] = []) =>
  tgz([["pubspec.yaml", `name: ${name}\nversion: ${version}\n${more}`], ...others]);

interface Version {
  readonly version: string;
  readonly archive_url: string;
  readonly archive_sha256: string;
  readonly pubspec: unknown;
}
interface Listed {
  readonly name: string;
  readonly latest: Version;
  readonly versions: readonly Version[];
}

test("a package is uploaded, confirmed, listed and fetched", async () => {
  const start = await get<{ url: string }>("/versions/new", world.ada.token);
  expect([start.headers.get("content-type"), start.body.url]).toEqual([
    "application/vnd.pub.v2+json",
    `${world.server.url.slice(0, -1)}${BASE}/versions/new/upload`,
  ]);
  const spec = "description: d\nflutter:\n  uses-material-design: true\ndependencies:\n  path:\n";
  const archive = await aPackage("colours", "1.0.0", spec, [["README.md", "# Colours"]]);
  const sent = await upload(archive);
  expect(sent.status).toBe(204);
  const finish = await call<{ success: { message: string } }>(
    world.server,
    "GET",
    new URL(sent.headers.get("location") ?? "").pathname,
    { token: world.ada.token },
  );
  expect(finish.body.success.message).toBe("Published colours 1.0.0.");
  const { body } = await get<Version>("/colours/1.0.0");
  expect(body).toMatchObject({
    version: "1.0.0",
    archive_sha256: new Bun.CryptoHasher("sha256").update(archive).digest("hex"),
    pubspec: {
      name: "colours",
      version: "1.0.0",
      description: "d",
      flutter: { "uses-material-design": true },
      dependencies: { path: null },
    },
  });
  expect(Buffer.from(await (await fetch(body.archive_url)).arrayBuffer())).toEqual(archive);
});

test("versions come in their order, and the latest is the highest that is stable", async () => {
  for (const version of ["1.10.0", "2.0.0-dev.1", "1.9.0"])
    expect((await upload(await aPackage("ordered", version))).status).toBe(204);
  const { body } = await get<Listed>("/ordered");
  expect(body.versions.map(({ version }) => version)).toEqual(["1.9.0", "1.10.0", "2.0.0-dev.1"]);
  expect(body.latest.version).toBe("1.10.0");
});

test("a version is published once and can be deleted", async () => {
  const archive = await aPackage("once", "1.0.0");
  expect((await upload(archive)).status).toBe(204);
  const again = await upload(archive);
  expect([again.status, again.body]).toEqual([
    409,
    { error: { code: "Conflict", message: "package version already exists" } },
  ]);
  // Of an upload, dart pub shows what stands in these elements, and nothing else.
  const shown = await upload(archive, world.ada.token, "Dart pub 3.13.4");
  expect([shown.status, shown.headers.get("content-type"), shown.text]).toEqual([
    409,
    "application/xml",
    expect.stringContaining("<Code>Conflict</Code><Message>package version already exists</Message>"),
  ]);
  await call(world.server, "DELETE", "/api/v1/packages/ada/pub/once/1.0.0", { token: world.ada.token });
  const gone = await get("/once");
  expect([gone.status, gone.body]).toEqual([404, { error: { code: "Not Found", message: "package does not exist" } }]);
  expect((await get("/versions/new/finalize/once/1.0.0", world.ada.token)).status).toBe(404);
});

test("a token without the right is kept by its client, and a missing one asked for", async () => {
  const readsOnly = aToken(world.server, world.ada.user, ["read:package"]);
  for (const [token, status] of [
    [world.bob.token, 403],
    [readsOnly, 403],
    ["0".repeat(40), 401],
    [undefined, 401],
  ] as const) {
    const refused = await get("/versions/new", token);
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
      status,
      expect.stringMatching(/^Bearer realm="pub", message="/),
    ]);
  }
});

test.each([
  ["no archive", async () => "plain text", "the archive could not be read"],
  ["no pubspec", () => tgz([["lib/pubspec.yaml", "name: a"]]), "Pubspec file is missing"],
  ["a large pubspec", () => aPackage("a", "1.0.0", "#".repeat(129 << 10)), "Pubspec file is too large"],
  ["a pubspec that is no YAML", () => tgz([["pubspec.yaml", "{[}"]]), "Pubspec file is invalid"],
  ["a pubspec of text", () => tgz([["pubspec.yaml", "name"]]), "Pubspec file is invalid"],
  ["a pubspec within itself", () => aPackage("a", "1.0.0", "b: &b [*b]\n"), "Pubspec file is invalid"],
  ["a wrong name", () => aPackage("a-b", "1.0.0"), "package name is invalid"],
  ["a name that is a list", () => aPackage("[a]", "1.0.0"), "package name is invalid"],
  ["a wrong version", () => aPackage("a", "one"), "package version is invalid"],
])("%s is refused, and nothing is left", async (_, file, message) => {
  const refused = await upload(await file());
  expect([refused.status, refused.body]).toEqual([400, { error: { code: "Bad Request", message } }]);
  expect((await get("/a")).status).toBe(404);
});

test("a form without a file is refused", async () => {
  const form = aForm([{ name: "other", content: "x" }]);
  const refused = await call(world.server, "POST", `${BASE}/versions/new/upload`, { token: world.ada.token, ...form });
  expect(refused.status).toBe(400);
});
