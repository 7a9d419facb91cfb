import { afterAll, beforeAll, expect, test } from "bun:test";
import { archPackage } from "../api/packages/arch-package.ts";
import { zip } from "../api/packages/archives.ts";
import { aPackage } from "../api/packages/conda-package.ts";
import { rpm } from "../api/packages/rpm-package.ts";
import { aName, aRegistry, cargo, composer, gem, generic, helm, maven, npm, terraform } from "../api/packages/world.ts";
import { anOrganization, aRepo, aServer, aTeam, aUser, type TestServer, type TestUser } from "../builders.ts";
import { aPage, aPageOf, type Visitor, wordsOf } from "./browser-calls.ts";

/** Pages of packages: an account's, a repository's, one package, its settings, and everyone's for administrators. */

let server: TestServer;
let ada: TestUser;
let visitor: Visitor;
let owner: Visitor;
let stranger: Visitor;
let admin: Visitor;
const registry = aRegistry(() => server);

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  visitor = aPage(server);
  owner = await aPageOf(server, ada.user);
  stranger = await aPageOf(server, (await aUser(server, { login: "bob" })).user);
  admin = await aPageOf(server, (await aUser(server, { login: "root", isAdmin: true })).user);
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

async function publish(type: string, { body, method, path }: ReturnType<typeof generic>): Promise<void> {
  expect((await registry(method, `ada/${type}${path}`, ada, body)).status).toBe(201);
}
const shown = async (path: string, who = visitor) => {
  const { status, text } = await who.get(path);
  return status === 200 ? wordsOf(text) : String(status);
};

test("the list shows each package once, by its latest version, and is narrowed by name and type", async () => {
  const [one, two] = [aName("list-one"), aName("list-two")];
  for (const version of ["1.0", "2.0"]) await publish("generic", generic(one, version));
  await publish("npm", npm(two));
  const all = await shown("/ada/-/packages");
  expect(all).toContain(`${one} 2.0`);
  expect(all).not.toContain(`${one} 1.0`);
  expect(all).toContain(`${two} 1.0.0`);
  expect(await shown("/ada/-/packages?type=npm")).not.toContain(one);
  const named = await shown("/ada/-/packages?q=LIST-ONE");
  expect([named.includes(one), named.includes(two)]).toEqual([true, false]);
  expect(await shown("/ada?tab=packages")).toContain(one);
  for (const query of ["?page=99999999999999", "?type=%3Cscript%3E", `?q=${"%25".repeat(500)}`])
    expect((await visitor.get(`/ada/-/packages${query}`)).status).toBe(200);
});

test("packages of systems tell where their group or repository is, and what they are", async () => {
  const base = `${server.url}api/packages/ada`;
  const [group, name] = [aName("el"), aName()];
  for (const [path, content] of [
    [`rpm/${group}/os/upload`, rpm(name, "1.0-1", { epoch: 2 })],
    [`arch/${group}`, archPackage(name, "1:1.0-1")],
  ] as const)
    expect((await registry("PUT", `ada/${path}`, ada, content)).status).toBe(201);
  const ofRpm = await shown(`/ada/-/packages/rpm/${name}/2-1.0-1`);
  for (const part of [
    `sudo curl -fo /etc/yum.repos.d/gitea-ada-${group}-os.repo ${base}/rpm/${group}/os.repo`,
    `sudo dnf install ${name}-2:1.0-1`,
    `The ${name} kit`,
    "MIT",
  ])
    expect(ofRpm).toContain(part);
  const ofArch = await shown(`/ada/-/packages/arch/${name}/${encodeURIComponent("1:1.0-1")}`);
  for (const part of [
    `curl ${base}/arch/repository.key | sudo pacman-key --add -`,
    "sudo pacman-key --lsign-key 'ada (Arch Registry)'",
    `Server = ${base}/arch/${group}/$arch`,
    `sudo pacman -Sy ${name}`,
    "MIT, Apache-2.0",
  ])
    expect(ofArch).toContain(part);
});

test("a module of Go is not asked for at the public database of checksums", async () => {
  const name = `example.org/${aName()}`;
  const content = zip([[`${name}@v1.0.0/go.mod`, `module ${name}\n`]]);
  expect((await registry("PUT", "ada/go/upload", ada, content)).status).toBe(201);
  const page = await shown(`/ada/-/packages/go/${encodeURIComponent(name)}/v1.0.0`);
  expect(page).toContain(`GOPROXY=${server.url}api/packages/ada/go GONOSUMDB=${name} go get ${name}@v1.0.0`);
});

test("a package's page tells how it is used, what it holds, and which versions there are", async () => {
  const name = aName("@scope/kit");
  const at = `/ada/-/packages/npm/${encodeURIComponent(name)}`;
  await publish("npm", npm(name, "1.0.0", { description: "<b>A kit</b>", license: "MIT", homepage: "javascript:x" }));
  await publish("npm", npm(name, "2.0.0"));
  const latest = await visitor.get(at);
  expect([latest.status, latest.location]).toEqual([303, `${at}/2.0.0`]);
  const page = await visitor.get(`${at}/1.0.0`);
  const words = wordsOf(page.text);
  for (const part of [`npm install ${name}@1.0.0`, "<b>A kit</b>", "MIT", "kit", "2.0.0"])
    expect(words).toContain(part);
  expect(page.text).not.toContain("javascript:x");
  const file = /href="([^"]*\/files\/\d+)"/.exec(page.text)?.[1] ?? "";
  const bytes = await visitor.get(file);
  expect([bytes.status, bytes.headers.get("content-disposition")]).toEqual([
    200,
    expect.stringContaining("attachment"),
  ]);
  const versions = await shown(`${at}/versions?q=2.0`);
  expect([versions.includes("2.0.0"), versions.includes("1.0.0")]).toEqual([true, false]);
  expect(await shown(`${at}/3.0.0`)).toBe("404");
  expect(await shown(`/ada/-/packages/nonsense/${name}/1.0.0`)).toBe("404");
  // A file of another version is none of this one.
  expect((await visitor.get(file.replace("1.0.0", "2.0.0"))).status).toBe(404);
});

test("the page of a recipe or of a package in a channel names what clients call it, and tells files of one name apart", async () => {
  const recipe = aName("recipe");
  for (const [of, revision] of [
    ["_/_", "r1"],
    ["team/stable", "r1"],
    ["team/stable", "r2"],
  ] as const) {
    const path = `/v2/conans/${recipe}/1.0/${of}/revisions/${revision}/files/conanfile.py`;
    await publish("conan", { method: "PUT", path, body: 'description = "A recipe"\n' });
  }
  const base = (type: string) => `${server.url}api/packages/ada/${type}`;
  const page = await shown(`/ada/-/packages/conan/${recipe}/1.0`);
  for (const part of [
    `conan remote add ada ${base("conan")}`,
    `conan install --requires=${recipe}/1.0 --remote=ada`,
    "A recipe",
    "_ _ r1",
    "team stable r1",
    "team stable r2",
  ])
    expect(page).toContain(part);
  await registry("DELETE", `ada/conan/v2/conans/${recipe}/1.0/_/_`, ada);
  expect(await shown(`/ada/-/packages/conan/${recipe}/1.0`)).toContain(`--requires=${recipe}/1.0@team/stable `);

  const { content, file } = aPackage("kit");
  for (const channel of ["", "team/stable/"])
    await publish("conda", { method: "PUT", path: `/${channel}${file}`, body: content });
  expect(await shown("/ada/-/packages/conda/kit/1.0")).toContain(`conda install --channel ${base("conda")} kit=1.0`);
  const inChannel = await shown("/ada/-/packages/conda/team%2Fstable%2Fkit/1.0");
  for (const part of [`conda install --channel ${base("conda")}/team/stable kit=1.0`, "linux-64"])
    expect(inChannel).toContain(part);
});

test("a version says what it needs, whatever its registry wrote it down as", async () => {
  const gems = `--- !ruby/object:Gem::Specification
name: needs
version: !ruby/object:Gem::Version
  version: 1.0.0
dependencies:
- !ruby/object:Gem::Dependency
  name: rack
  type: :runtime
  requirement: !ruby/object:Gem::Requirement
    requirements:
    - - ">="
      - !ruby/object:Gem::Version
        version: '2.0'
`;
  const pom = `<project><groupId>org.kit</groupId><artifactId>needs</artifactId><version>1.0</version><dependencies>
    <dependency><groupId>org.kit</groupId><artifactId>other</artifactId><version>2.0</version></dependency>
  </dependencies></project>`;
  const crate = { vers: "1.0.0", deps: [{ name: "serde", version_req: "^1" }] };
  const chart = "dependencies:\n  - name: redis\n    version: 1.x\n";
  const packages = [
    ["npm/needs/1.0.0", npm("needs", "1.0.0", { dependencies: { left: "^1.0" } }), "left ^1.0"],
    ["cargo/needs/1.0.0", cargo("needs", "1.0.0", crate), "serde ^1"],
    ["rubygems/needs/1.0.0", gem("needs", "1.0.0", gems), "rack >= 2.0"],
    ["helm/needs/1.0.0", helm("needs", "1.0.0", chart), "redis 1.x"],
    ["composer/needs%2Fphp/1.0.0", composer("needs/php", "1.0.0", { require: { php: ">=8" } }), "php >=8"],
    ["maven/org.kit:needs/1.0", maven("needs", "1.0", ".pom", pom), "org.kit:other 2.0"],
  ] as const;
  for (const [at, { body, method, path }, said] of packages) {
    await registry(method, `ada/${at.slice(0, at.indexOf("/"))}${path}`, ada, body);
    expect([at, await shown(`/ada/-/packages/${at}`)]).toEqual([at, expect.stringContaining(`Dependencies ${said}`)]);
  }
});

test("a state is locked and unlocked by hand", async () => {
  await publish("terraform", { ...terraform("by-hand"), method: "POST" });
  const at = "/ada/-/packages/terraform/by-hand/1";
  expect(await shown(at)).toContain("The state is not locked.");
  expect((await stranger.post(`${at}/terraform/lock`)).status).toBe(404);
  expect((await owner.post(`${at}/terraform/lock`)).location).toBe(at);
  expect(await shown(at)).toContain("The state is locked by ada.");
  const client = () => registry("POST", "ada/terraform/state/by-hand/lock", ada, { ID: "1", Who: "terraform" });
  const held = await client();
  expect([held.status, held.body]).toEqual([423, expect.objectContaining({ Who: "ada" })]);
  expect((await owner.post(`${at}/terraform/unlock`)).status).toBe(303);
  expect((await client()).status).toBe(200);
  // Locked by a client it stays that one's.
  await owner.post(`${at}/terraform/lock`);
  expect(await shown(at)).toContain("The state is locked by terraform.");
  expect((await owner.post("/ada/-/packages/generic/x/1/terraform/lock")).status).toBe(404);
});

test("a repository shows what is linked to it, and who may change that", async () => {
  const name = aName("linked");
  const repo = aRepo(server, ada.user, { files: { a: "a" } }).name;
  await publish("generic", generic(name));
  const settings = `/ada/-/packages/settings/generic/${name}`;
  expect(await shown(settings)).toBe("404");
  expect(await shown(settings, stranger)).toBe("404");
  expect((await stranger.post(settings, { action: "link", repo_name: repo })).status).toBe(404);
  expect((await owner.post(settings, { action: "link", repo_name: "nothing" })).status).toBe(422);
  expect((await owner.post(settings, { action: "link", repo_name: repo })).status).toBe(303);
  expect(await shown(`/ada/${repo}/packages`)).toContain(name);
  expect(await shown(`/ada/-/packages/generic/${name}/1.0`)).toContain(`ada/${repo}`);
  expect((await owner.get(settings)).text).toContain(`value="${repo}"`);
  expect((await owner.post(settings, { action: "link", repo_name: "" })).status).toBe(303);
  expect(await shown(`/ada/${repo}/packages`)).not.toContain(name);
});

test("a package goes when its name is typed, a version when it is", async () => {
  const name = aName("gone");
  for (const version of ["1.0", "2.0"]) await publish("generic", generic(name, version));
  const at = `/ada/-/packages/generic/${name}`;
  expect((await stranger.post(`${at}/2.0`, { version: "2.0" })).status).toBe(404);
  await owner.post(`${at}/2.0`, { version: "other" });
  expect((await visitor.get(`${at}/2.0`)).status).toBe(200);
  expect((await owner.post(`${at}/2.0`, { version: "2.0" })).status).toBe(303);
  expect((await visitor.get(`${at}/2.0`)).status).toBe(404);
  const settings = `/ada/-/packages/settings/generic/${name}`;
  expect((await owner.post(settings, { action: "delete", package_name: "other" })).status).toBe(422);
  expect((await owner.post(settings, { action: "delete", package_name: name })).location).toBe("/ada/-/packages");
  expect(await shown(at)).toBe("404");
});

test("administrators see everyone's, and have what is left over taken away", async () => {
  const name = aName("everyones");
  await publish("generic", generic(name));
  for (const who of [stranger, owner]) expect([403, 404]).toContain((await who.get("/-/admin/packages")).status);
  const list = await shown(`/-/admin/packages?q=${name}`, admin);
  for (const said of [`ada / ${name} 1.0`, "· 3 B"]) expect(list).toContain(said);
  expect((await admin.post("/-/admin/packages/cleanup")).status).toBe(303);
});

test("someone private has no packages that others see", async () => {
  const hidden = await aUser(server, { login: "hidden", visibility: "private" });
  const { body, method, path } = generic("kit");
  await registry(method, `hidden/generic${path}`, hidden, body);
  const nobody = (await stranger.get("/nobody/-/packages")).status;
  for (const path of ["", "/generic/kit/1.0", "/generic/kit", "/generic/kit/versions"])
    expect((await stranger.get(`/hidden/-/packages${path}`)).status).toBe(nobody);
  expect(await shown("/hidden/-/packages", admin)).toContain("kit");
});

test("settings do not name a repository that who may publish does not see", async () => {
  const organization = anOrganization(server, ada.user, { login: aName("org") });
  const writer = await aUser(server, { login: aName("writer") });
  aTeam(server, organization, { name: "writers", unitsMap: { "repo.packages": "write" }, members: [writer.user] });
  const secret = aName("secret");
  aRepo(server, organization, { name: secret, isPrivate: true });
  const { body, method, path } = generic("kit");
  expect((await registry(method, `${organization.login}/generic${path}`, ada, body)).status).toBe(201);
  const settings = `/${organization.login}/-/packages/settings/generic/kit`;
  expect((await owner.post(settings, { action: "link", repo_name: secret })).status).toBe(303);
  expect((await owner.get(settings)).text).toContain(`value="${secret}"`);
  const seen = await (await aPageOf(server, writer.user)).get(settings);
  expect([seen.status, seen.text.includes(secret)]).toEqual([200, false]);
});
