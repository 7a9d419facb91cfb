import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  aRepo,
  aServer,
  aSession,
  aUser,
  type CallOptions,
  call,
  type Json,
  type TestServer,
  type TestUser,
} from "../../builders.ts";

/** Topics over REST and pages (contract repositories.md 13). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;

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

const api = <Body = Json>(method: string, path: string, who?: TestUser, options: CallOptions = {}) =>
  call<Body>(server, method, `/api/v1${path}`, { token: who?.token, ...options });
const topicsOf = async (name: string) => (await api("GET", `/repos/ada/${name}/topics`, ada)).body["topics"];
const replace = (name: string, topics: unknown, who = ada) =>
  api("PUT", `/repos/ada/${name}/topics`, who, { body: { topics } as Json });

describe("the topics of a repository", () => {
  test("are replaced as a whole, cleaned and sorted, and stand in its resource and in lists", async () => {
    const { name } = aRepo(server, ada.user);
    expect((await replace(name, ["  Go ", "go", "", " MAC"])).status).toBe(204);
    expect(await topicsOf(name)).toEqual(["go", "mac"]);
    expect((await api("GET", `/repos/ada/${name}`)).body["topics"]).toEqual(["go", "mac"]);
    const paged = await api("GET", `/repos/ada/${name}/topics?limit=1&page=2`);
    expect(paged.body["topics"]).toEqual(["mac"]);
    expect(paged.headers.get("x-total-count")).toBe("2");
  });

  test("are refused as a whole when one is bad or they are too many", async () => {
    const { name } = aRepo(server, ada.user);
    await replace(name, ["there"]);
    expect(await replace(name, ["ok", "bad!", "-x"])).toMatchObject({
      status: 422,
      body: { invalidTopics: ["bad!", "-x"], message: "Topic names are invalid" },
    });
    expect(
      (
        await replace(
          name,
          Array.from({ length: 26 }, (_, at) => `t${at}`),
        )
      ).body["invalidTopics"],
    ).toBe(null);
    const most = Array.from({ length: 25 }, (_, at) => `t${at}`);
    expect((await replace(name, [...most, "bad!"])).body["invalidTopics"]).toEqual(["bad!"]);
    for (const wrong of [[1], "go", [["go"]]]) expect((await replace(name, wrong)).status).toBe(422);
    expect(await topicsOf(name)).toEqual(["there"]);
  });

  test("are added and removed one by one", async () => {
    const { name } = aRepo(server, ada.user);
    const at = (topic: string) => `/repos/ada/${name}/topics/${topic}`;
    for (let i = 0; i < 2; i++) expect((await api("PUT", at("Rust"), ada)).status).toBe(204);
    expect((await api("DELETE", at("unknown"), ada)).status).toBe(404);
    expect((await api("PUT", at("bad%21"), ada)).body).toEqual({
      invalidTopics: "bad!",
      message: "Topic name is invalid",
    });
    expect((await api("DELETE", at("RUST"), ada)).status).toBe(204);
    await replace(
      name,
      Array.from({ length: 25 }, (_, at) => `t${at}`),
    );
    expect((await api("PUT", at("t1"), ada)).body).toEqual({ message: "Exceeding maximum allowed topics per repo." });
  });

  test("are an administrator's to change", async () => {
    const { name } = aRepo(server, ada.user);
    expect((await replace(name, ["x"], bob)).status).toBe(403);
    expect((await api("PUT", `/repos/ada/${name}/topics/x`, bob)).status).toBe(403);
    expect((await api("PUT", `/repos/ada/${name}/topics/x`)).status).toBe(401);
    expect(await topicsOf(name)).toEqual([]);
  });
});

describe("searching", () => {
  test("finds topics by a part, the most used first, and never those of what the reader does not see", async () => {
    const [one, two, secret] = [
      aRepo(server, ada.user),
      aRepo(server, ada.user),
      aRepo(server, ada.user, { isPrivate: true }),
    ];
    await replace(one.name, ["needle-a", "needle-b"]);
    await replace(two.name, ["needle-b"]);
    await replace(secret.name, ["needle-b", "needle-secret"]);
    const found = async (who?: TestUser) =>
      (
        await api<{ topics: { topic_name: string; repo_count: number }[] }>("GET", "/topics/search?q=NEEDLE", who)
      ).body.topics.map(({ topic_name, repo_count }) => [topic_name, repo_count]);
    expect(await found()).toEqual([
      ["needle-b", 2],
      ["needle-a", 1],
    ]);
    expect(await found(ada)).toEqual([
      ["needle-b", 3],
      ["needle-a", 1],
      ["needle-secret", 1],
    ]);
  });

  test("of repositories finds by a part of a topic, and with topic=true by whole ones only", async () => {
    const { name } = aRepo(server, ada.user);
    await replace(name, ["steam-engine"]);
    const found = async (query: string) =>
      (await api<{ data: { name: string }[] }>("GET", `/repos/search?${query}`)).body.data.map((repo) => repo.name);
    expect(await found("q=steam")).toEqual([name]);
    expect(await found("q=steam&topic=true")).toEqual([]);
    expect(await found("q=steam-engine&topic=true")).toEqual([name]);
    expect(await found(`q=${name}&topic=true`)).toEqual([]);
  });
});

test("the settings page shows what is there, saves, and says what is wrong with what was typed", async () => {
  const { name } = aRepo(server, ada.user);
  const cookie = await aSession(server, ada.user);
  const post = (path: string, topics: string) =>
    fetch(`${server.url}ada/${name}/${path}`, {
      method: "POST",
      redirect: "manual",
      headers: { cookie, origin: server.url.slice(0, -1) },
      body: new URLSearchParams({ topics }),
    });
  expect((await post("settings/topics", "Go, rust  zig")).status).toBe(303);
  expect(await topicsOf(name)).toEqual(["go", "rust", "zig"]);
  expect(await (await fetch(`${server.url}ada/${name}/settings/topics`, { headers: { cookie } })).text()).toContain(
    'value="go, rust, zig"',
  );
  const refused = await post("settings/topics", "fine, b@d");
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain("These cannot be topics: b@d");
  expect(await (await post("topics", "a,b")).json()).toEqual({ status: "ok" });
  expect(await (await post("topics", "a,!")).json()).toEqual({
    invalidTopics: ["!"],
    message: "Topic names are invalid",
  });
  expect(await topicsOf(name)).toEqual(["a", "b"]);
});
