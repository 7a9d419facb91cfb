import { afterAll, beforeAll, expect, test } from "bun:test";
import { operator } from "../../../src/access/principal.ts";
import {
  anApi,
  anOrganization,
  aRepo,
  aServer,
  aUser,
  type Json,
  settled,
  type TestServer,
  type TestUser,
} from "../../builders.ts";
import { aName, aRegistry, generic, npm } from "./world.ts";

/** Who hears of packages: webhooks and workflows (contract packages.md 1.8). */

let server: TestServer;
let ada: TestUser;
let receiver: ReturnType<typeof Bun.serve>;
const received: { path: string; body: Json }[] = [];
const api = anApi(() => server);
const registry = aRegistry(() => server);

beforeAll(async () => {
  receiver = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      received.push({ path: new URL(request.url).pathname, body: (await request.json()) as Json });
      return new Response("taken");
    },
  });
  server = await aServer({ "network.allow": ["loopback"] });
  ada = await aUser(server, { login: "ada" });
});
afterAll(async () => {
  await receiver.stop(true);
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

async function aHook(home: string): Promise<() => Promise<Json[]>> {
  const path = `/${aName("hook")}`;
  const config = { url: `http://127.0.0.1:${receiver.port}${path}`, content_type: "json" };
  const hook = { type: "gitea", active: true, events: ["package"], config };
  expect((await api("POST", `${home}/hooks`, ada, hook)).status).toBe(201);
  return async () => {
    await settled(server);
    return received.filter((request) => request.path === path).map(({ body }) => body);
  };
}
const publish = async (at: string, { body, method, path }: ReturnType<typeof generic>) =>
  expect((await registry(method, `${at}${path}`, ada, body)).status).toBe(201);

test("hooks hear of the first file of a version, and of each version that goes", async () => {
  const organization = anOrganization(server, ada.user).login;
  const heard = await aHook(`/orgs/${organization}`);
  const name = aName();
  await publish(`${organization}/generic`, generic(name, "1.0", "a"));
  await publish(`${organization}/generic`, generic(name, "1.0", "b"));
  await publish(`${organization}/generic`, generic(name, "2.0"));
  await api("DELETE", `/packages/${organization}/generic/${name}`, ada);
  const told = await heard();
  expect(told.map(({ action, package: of }) => `${action} ${(of as Json)["version"]}`)).toEqual([
    "created 1.0",
    "created 2.0",
    "deleted 1.0",
    "deleted 2.0",
  ]);
  expect(told[0]).toMatchObject({
    repository: null,
    organization: { username: organization },
    sender: { login: "ada" },
    package: { name, type: "generic", owner: { login: organization }, creator: { login: "ada" } },
  });
});

test("recipes are told of when their first file comes, and when the last of all their revisions goes", async () => {
  const organization = anOrganization(server, ada.user).login;
  const heard = await aHook(`/orgs/${organization}`);
  const recipe = `/v2/conans/${aName()}/1.0`;
  for (const path of ["_/_/revisions/r1", "_/_/revisions/r2", "team/stable/revisions/r1"])
    await publish(`${organization}/conan`, {
      method: "PUT",
      path: `${recipe}/${path}/files/conanfile.py`,
      body: path,
    });
  for (const path of ["_/_", "team/stable/revisions/r1"])
    expect((await registry("DELETE", `${organization}/conan${recipe}/${path}`, ada)).status).toBe(200);
  expect((await heard()).map(({ action }) => action)).toEqual(["created", "deleted"]);
});

test("hooks of the linked repository hear of it, as those of the owner do", async () => {
  const repo = aRepo(server, ada.user).name;
  const [ofRepo, ofOwner] = [await aHook(`/repos/ada/${repo}`), await aHook("/user")];
  const name = aName();
  await publish("ada/generic", generic(name, "1.0"));
  expect((await api("POST", `/packages/ada/generic/${name}/-/link/${repo}`, ada)).status).toBe(201);
  await publish("ada/generic", generic(name, "2.0"));
  expect((await ofOwner()).map(({ package: of }) => (of as Json)["version"])).toEqual(["1.0", "2.0"]);
  const [told, ...more] = await ofRepo();
  expect(more).toEqual([]);
  expect(told).toMatchObject({ organization: null, package: { version: "2.0", repository: { name: repo } } });
});

test("a publication that names its repository starts the workflows that wait for it", async () => {
  const flow = "on: registry_package\njobs:\n  b:\n    runs-on: self\n    steps: [{ run: a }]\n";
  const repo = aRepo(server, ada.user, { files: { ".gitea/workflows/kit.yml": flow } });
  const url = `${server.services.links.rootUrl}ada/${repo.name}.git`;
  await publish("ada/npm", npm(aName(), "1.0.0", { repository: { type: "git", url } }));
  await settled(server);
  const seen = server.services.repos.seeById(operator, repo.id);
  if (!seen) throw new Error("the repository is there");
  const { items } = server.services.actionsRunLists.page(seen, {}, { limit: 50, offset: 0 });
  expect(items.map(({ event, workflow }) => [event, workflow])).toEqual([["registry_package", "kit.yml"]]);
});
