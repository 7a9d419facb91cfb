import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asAccount } from "../../../src/access/principal.ts";
import { ownHome } from "../../../src/actions/homes.ts";
import {
  anApi,
  anOrganization,
  aRepo,
  aServer,
  aToken,
  aUser,
  call,
  type TestServer,
  type TestUser,
} from "../../builders.ts";
import { plansDuring, scans } from "../../plans.ts";

/** Runners over REST, and what they ask themselves (contract actions.md 6 and 8.4). */

let server: TestServer;
let root: TestUser;
let ada: TestUser;
let bob: TestUser;
const api = anApi(() => server);

interface Listed {
  readonly runners: readonly Shown[];
  readonly total_count: number;
}
interface Shown {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly busy: boolean;
  readonly disabled: boolean;
  readonly ephemeral: boolean;
  readonly labels: readonly { readonly id: number; readonly name: string; readonly type: string }[];
}
interface Registered {
  readonly id: string;
  readonly uuid: string;
  readonly token: string;
  readonly name: string;
  readonly version?: string;
  readonly labels?: readonly string[];
  readonly ephemeral?: boolean;
}

beforeAll(async () => {
  server = await aServer();
  root = await aUser(server, { login: "root", isAdmin: true });
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
  aRepo(server, ada.user, { name: "garden" });
  anOrganization(server, ada.user, { login: "guild" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const homes = [
  { home: "/repos/ada/garden/actions", who: () => ada },
  { home: "/orgs/guild/actions", who: () => ada },
  { home: "/user/actions", who: () => ada },
  { home: "/admin/actions", who: () => root },
] as const;

const tokenOf = async (home: string, who: TestUser) => {
  const answer = await api<{ token: string }>("POST", `${home}/runners/registration-token`, who);
  expect(answer.status).toBe(200);
  return answer.body.token;
};

const RUNNER = "/api/actions/runner.v1.RunnerService";

/** One call in JSON, as the Connect protocol has it. */
const rpc = <Answer>(path: string, message: unknown, headers: Record<string, string> = {}) =>
  call<Answer>(server, "POST", path, { body: message, headers: { "content-type": "application/json", ...headers } });

async function aRunner(token: string, more: object = {}) {
  const message = { name: "builder", token, version: "v1.0", labels: ["self", "linux"], ...more };
  const answer = await rpc<{ runner: Registered }>(`${RUNNER}/Register`, message);
  expect(answer.status).toBe(200);
  const { runner } = answer.body;
  const headers = { "x-runner-uuid": runner.uuid, "x-runner-token": runner.token };
  return { ...runner, number: Number(runner.id), headers };
}

for (const { home, who } of homes)
  describe(`runners at ${home}`, () => {
    test("register with a token that stays, and are listed, changed and deleted", async () => {
      const token = await tokenOf(home, who());
      expect(token).toMatch(/^[0-9a-zA-Z]{40}$/);
      expect(await tokenOf(home, who())).toBe(token);
      for (const at of home === "/admin/actions" ? [home, "/admin"] : [home])
        for (const method of ["GET", "POST"]) {
          const got = await api<{ token: string }>(method, `${at}/runners/registration-token`, who());
          expect([method, at, got.status, got.body.token]).toEqual([method, at, 200, token]);
        }

      const runner = await aRunner(token);
      expect(runner.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(runner.token).toMatch(/^[0-9a-f]{40}$/);
      const path = `${home}/runners/${runner.id}`;
      const shown = {
        id: runner.number,
        name: "builder",
        status: "offline",
        busy: false,
        disabled: false,
        ephemeral: false,
        labels: [
          { id: 0, name: "self", type: "custom" },
          { id: 1, name: "linux", type: "custom" },
        ],
      };
      expect((await api<Shown>("GET", path, who())).body).toEqual(shown);
      const listed = await api<Listed>("GET", `${home}/runners`, who());
      expect(listed.body.runners).toContainEqual(shown);
      expect(listed.headers.get("x-total-count")).toBe(String(listed.body.total_count));

      expect((await rpc(`${RUNNER}/FetchTask`, {}, runner.headers)).status).toBe(200);
      expect((await api<Shown>("GET", path, who())).body.status).toBe("online");
      expect((await api<Shown>("PATCH", path, who(), { disabled: true })).body).toMatchObject({ disabled: true });
      const numbers = async (query: string) =>
        (await api<Listed>("GET", `${home}/runners?${query}`, who())).body.runners.map(({ id }) => id);
      expect(await numbers("disabled=true")).toContain(runner.number);
      expect(await numbers("disabled=false")).not.toContain(runner.number);
      expect((await api("PATCH", path, who(), { disabled: false })).status).toBe(200);
      for (const body of [{}, { disabled: null }])
        expect(await api("PATCH", path, who(), body)).toMatchObject({
          status: 422,
          body: { message: "[Disabled]: Required" },
        });
      expect((await api("PATCH", path, who(), { disabled: "yes" })).status).toBe(422);

      expect((await api("DELETE", path, who())).status).toBe(204);
      for (const method of ["GET", "DELETE"])
        expect(await api(method, path, who())).toMatchObject({
          status: 404,
          body: { message: `runner with id ${runner.id}: resource does not exist` },
        });
      expect((await api("PATCH", path, who(), { disabled: true })).status).toBe(404);
      expect(await rpc(`${RUNNER}/FetchTask`, {}, runner.headers)).toMatchObject({
        status: 401,
        body: { code: "unauthenticated", message: "unregistered runner" },
      });
    });

    test("have numbers that are none", async () => {
      for (const id of ["x", "0", "-1", "1e3", "99999999999999999999"])
        expect((await api("GET", `${home}/runners/${id}`, who())).status).toBe(404);
    });
  });

test("one home's runner is missing at another, but not for site administrators", async () => {
  const runner = await aRunner(await tokenOf("/repos/ada/garden/actions", ada));
  const ofSite = await aRunner(await tokenOf("/admin/actions", root));
  for (const { home, who } of homes.slice(1, 3))
    for (const id of [runner.id, ofSite.id])
      for (const method of ["GET", "DELETE"])
        expect((await api(method, `${home}/runners/${id}`, who())).status).toBe(404);
  expect((await api("DELETE", `/repos/ada/garden/actions/runners/${ofSite.id}`, ada)).status).toBe(404);
  for (const id of [runner.id, ofSite.id])
    expect((await api("GET", `/admin/actions/runners/${id}`, root)).status).toBe(200);
  expect((await api("GET", "/admin/actions/runners", ada)).body).toMatchObject({
    message: "user should be the site admin",
  });
  const tokens = await Promise.all(homes.map(({ home, who }) => tokenOf(home, who())));
  expect(new Set(tokens).size).toBe(homes.length);
  expect(await tokenOf("/user/actions", bob)).not.toBe(tokens[2]);
});

test("a registration is in the record of whose runner it is, and in the site's", async () => {
  const recorded = (condition: string) =>
    server.core.db
      .query<{ account: string; actor: string; address: string; details: string }>(
        `SELECT account, actor, address, details FROM audit_entries WHERE action = 'actions-runner-registered' AND ${condition}
         ORDER BY id DESC LIMIT 1`,
      )
      .get();
  const there = { actor: "", address: "127.0.0.1" };
  const details = (place: string) => JSON.stringify({ name: "watched", place });
  await aRunner(await tokenOf("/repos/ada/garden/actions", ada), { name: "watched" });
  expect(recorded(`account_id = ${ada.user.id}`)).toEqual({ account: "ada", ...there, details: details("ada/garden") });
  await aRunner(await tokenOf("/orgs/guild/actions", ada), { name: "watched" });
  expect(recorded("account = 'guild'")).toMatchObject({ details: details("guild") });
  await aRunner(await tokenOf("/admin/actions", root), { name: "watched" });
  expect(recorded("account_id IS NULL")).toEqual({ account: "", ...there, details: details("") });
});

test("those that called lately come first, then the enabled, then those that called last, on every page", async () => {
  const token = await tokenOf("/user/actions", bob);
  const made: number[] = [];
  for (const _ of Array(7).keys()) made.push((await aRunner(token)).number);
  const now = server.core.clock();
  // When each called, and whether it is disabled; in the order of the list.
  const wanted: [number | null, boolean][] = [
    [now, false],
    [now - 1, false],
    [now, true],
    [now - 3_600_000, false],
    [null, false],
    [now - 3_600_000, true],
    [null, true],
  ];
  for (const [at, [lastOnlineAt, isDisabled]] of wanted.entries())
    server.core.db
      .query("UPDATE actions_runners SET last_online_at = ?, is_disabled = ? WHERE id = ?")
      .run(lastOnlineAt, Number(isDisabled), made[at] ?? 0);
  const pages = async (home: string, who: TestUser, query: string) => {
    const found: number[] = [];
    for (let page = 1; ; page++) {
      const { runners } = (await api<Listed>("GET", `${home}/runners?limit=3&page=${page}&${query}`, who)).body;
      if (runners.length === 0) return found.filter((id) => made.includes(id));
      found.push(...runners.map(({ id }) => id));
    }
  };
  const enabled = made.filter((_, at) => wanted[at]?.[1] === false);
  for (const [home, who] of [
    ["/user/actions", bob],
    ["/admin/actions", root],
  ] as const) {
    expect(await pages(home, who, "")).toEqual(made);
    expect(await pages(home, who, "disabled=false")).toEqual(enabled);
  }
  const { total_count: total, runners } = (await api<Listed>("GET", "/user/actions/runners?limit=50", bob)).body;
  expect(total).toBe(runners.length);
});

test("a token that may only read is shown no registration token", async () => {
  const reader = { token: aToken(server, ada.user, ["read:repository", "read:organization", "read:user"]) };
  for (const { home } of homes.slice(0, 3)) {
    expect((await api("GET", `${home}/runners`, reader)).status).toBe(200);
    for (const method of ["GET", "POST"])
      expect((await api(method, `${home}/runners/registration-token`, reader)).status).toBe(403);
  }
});

test("after a reset the old registration token is refused, and runners stay", async () => {
  const old = await tokenOf("/user/actions", bob);
  const runner = await aRunner(old);
  const fresh = server.services.actionsRunners.resetRegistrationToken(ownHome(asAccount(bob.user)));
  expect(fresh).not.toBe(old);
  expect(await tokenOf("/user/actions", bob)).toBe(fresh);
  expect(await rpc(`${RUNNER}/Register`, { name: "late", token: old })).toMatchObject({
    status: 401,
    body: {
      code: "unauthenticated",
      message: "runner registration token has been invalidated, please use the latest one",
    },
  });
  expect((await rpc(`${RUNNER}/FetchTask`, {}, runner.headers)).status).toBe(200);
  await aRunner(fresh);
});

describe("what runners ask", () => {
  test("in JSON: who is there, who registers", async () => {
    const ping = await rpc("/api/actions/ping.v1.PingService/Ping", { data: "abc", unknown: 1 });
    expect([ping.status, ping.headers.get("content-type"), ping.body]).toEqual([
      200,
      "application/json",
      { data: "Hello, abc!" },
    ]);
    const refusals = [
      [{ token: "0".repeat(40) }, 400, "missing runner token, name"],
      [{ name: "x" }, 400, "missing runner token, name"],
      [{ name: "x", token: "0".repeat(40) }, 401, "runner registration token not found"],
    ] as const;
    for (const [message, status, words] of refusals)
      expect(await rpc(`${RUNNER}/Register`, message)).toMatchObject({ status, body: { message: words } });
  });

  test("in protobuf: the bytes of the contract", async () => {
    const send = (path: string, bytes: readonly number[], headers: Record<string, string> = {}) =>
      fetch(new URL(path, server.url), {
        method: "POST",
        headers: { "content-type": "application/proto", ...headers },
        body: new Uint8Array(bytes),
      });
    const ping = await send("/api/actions/ping.v1.PingService/Ping", [0x0a, 3, 0x61, 0x62, 0x63]);
    expect(ping.headers.get("content-type")).toBe("application/proto");
    expect([...(await ping.bytes())]).toEqual([0x0a, 11, ...Buffer.from("Hello, abc!")]);

    const runner = await aRunner(await tokenOf("/user/actions", ada));
    // Field 1 is a number; field 99, which nobody knows, is a text.
    for (const bytes of [[], [0x08, 5], [0x08, 5, 0x9a, 0x06, 1, 0x61]]) {
      const answer = await send(`${RUNNER}/FetchTask`, bytes, runner.headers);
      const [tag, version = 0, ...rest] = await answer.bytes();
      expect([answer.status, tag, rest]).toEqual([200, 0x10, []]);
      expect(version).toBeGreaterThan(0);
    }
    const broken = await send(`${RUNNER}/FetchTask`, [0x08], runner.headers);
    expect([broken.status, broken.headers.get("content-type")]).toEqual([400, "application/json"]);
    expect(await broken.json()).toMatchObject({ code: "invalid_argument" });
  });

  test("declaring puts other labels and another version in place of the first", async () => {
    const home = "/repos/ada/garden/actions";
    const runner = await aRunner(await tokenOf(home, ada), {
      labels: [],
      agentLabels: ["old"],
      custom_labels: ["style"],
    });
    expect(runner.labels).toEqual(["old", "style"]);
    const declared = await rpc<{ runner: Registered }>(
      `${RUNNER}/Declare`,
      { version: "v2", labels: ["self", "x"], capabilities: ["cancelling"] },
      runner.headers,
    );
    expect(declared.body.runner).toEqual({
      id: runner.id,
      uuid: runner.uuid,
      name: "builder",
      version: "v2",
      labels: ["self", "x"],
    } as never);
    const { body } = await api<Shown>("GET", `${home}/runners/${runner.id}`, ada);
    expect(body.labels.map(({ name }) => name)).toEqual(["self", "x"]);
    const wrong: Record<string, string>[] = [
      {},
      { "x-runner-uuid": runner.uuid },
      { "x-runner-uuid": runner.uuid, "x-runner-token": "0".repeat(40) },
      { "x-runner-uuid": crypto.randomUUID(), "x-runner-token": runner.token },
    ];
    for (const method of ["Declare", "FetchTask"])
      for (const headers of wrong)
        expect(await rpc(`${RUNNER}/${method}`, {}, headers)).toMatchObject({
          status: 401,
          body: { code: "unauthenticated", message: "unregistered runner" },
        });
  });

  test("the number that asks runners to come again is raised when one is disabled or enabled, never 0", async () => {
    const ofRepo = await aRunner(await tokenOf("/repos/ada/garden/actions", ada));
    const ofAccount = await aRunner(await tokenOf("/user/actions", ada));
    const ofOther = await aRunner(await tokenOf("/orgs/guild/actions", ada));
    const versions = async () =>
      Promise.all(
        [ofRepo, ofAccount, ofOther].map(async ({ headers }) => {
          const answer = await rpc<{ tasksVersion: string }>(`${RUNNER}/FetchTask`, { tasksVersion: "0" }, headers);
          expect(Object.keys(answer.body)).toEqual(["tasksVersion"]);
          return Number(answer.body.tasksVersion);
        }),
      );
    const before = await versions();
    expect(Math.min(...before)).toBeGreaterThan(0);
    const path = `/repos/ada/garden/actions/runners/${ofRepo.id}`;
    await api("PATCH", path, ada, { disabled: true });
    await api("PATCH", path, ada, { disabled: true });
    expect(await versions()).toEqual([(before[0] ?? 0) + 1, (before[1] ?? 0) + 1, before[2] ?? 0]);
  });

  test("whatever comes is refused in their own form", async () => {
    const token = await tokenOf("/user/actions", ada);
    const post = (path: string, type: string, body: BodyInit) =>
      fetch(new URL(path, server.url), { method: "POST", headers: { "content-type": type }, body });
    const json = "application/json";
    const register = `${RUNNER}/Register`;
    for (const body of ["{", "[]", "7", '{"name":7}', '{"labels":"x"}', '{"labels":[null]}', "\xff"]) {
      const answer = await post(register, json, body);
      expect([body, answer.status]).toEqual([body, 400]);
      expect(await answer.json()).toMatchObject({ code: "invalid_argument" });
    }
    expect((await post(register, "application/proto", new Uint8Array([0xff, 0xff, 0xff]))).status).toBe(400);
    const huge = await post(register, json, JSON.stringify({ name: "x".repeat(300_000), token }));
    expect([huge.status, ((await huge.json()) as { code: string }).code]).toEqual([429, "resource_exhausted"]);
    const many = JSON.stringify({ name: "x", token, labels: new Array(101).fill("l") });
    expect((await post(register, json, many)).status).toBe(400);
    expect((await post(register, "application/grpc", "")).status).toBe(415);
    expect((await post(`${RUNNER}/Nothing`, json, "{}")).status).toBe(404);
    const asked = await fetch(new URL(register, server.url));
    expect([asked.status, asked.headers.get("allow")]).toEqual([405, "POST"]);
    const zipped = await fetch(new URL(register, server.url), {
      method: "POST",
      headers: { "content-type": json, "content-encoding": "gzip" },
      body: Bun.gzipSync(JSON.stringify({ name: "n".repeat(300), token })),
    });
    const { runner } = (await zipped.json()) as { runner: Registered };
    expect(runner.name).toHaveLength(255);
  });
});

test("a repository in the bin registers no runner and answers none; runners go with what they belong to", async () => {
  const dora = await aUser(server, { login: "dora" });
  aRepo(server, dora.user, { name: "shed" });
  const [ofRepo, ofAccount] = await Promise.all([
    tokenOf("/repos/dora/shed/actions", dora),
    tokenOf("/user/actions", dora),
  ]);
  const runner = await aRunner(ofRepo);
  const own = await aRunner(ofAccount);
  await api("DELETE", "/repos/dora/shed", dora);
  expect((await rpc(`${RUNNER}/FetchTask`, {}, runner.headers)).status).toBe(401);
  expect((await rpc(`${RUNNER}/Register`, { name: "x", token: ofRepo })).status).toBeGreaterThanOrEqual(400);
  expect((await api("DELETE", "/admin/users/dora?purge=true", root)).status).toBe(204);
  expect((await rpc(`${RUNNER}/FetchTask`, {}, own.headers)).status).toBe(401);
  expect((await rpc(`${RUNNER}/Register`, { name: "x", token: ofAccount })).body).toMatchObject({
    message: "runner registration token not found",
  });
});

test("neither kind of token stands in the database", async () => {
  const token = await tokenOf("/user/actions", ada);
  const runner = await aRunner(token);
  const dump = JSON.stringify([
    server.core.db.query("SELECT * FROM actions_registration_tokens").all(),
    server.core.db.query("SELECT * FROM actions_runners").all(),
  ]);
  expect(dump).not.toContain(token);
  expect(dump).not.toContain(runner.token);
});

test("lists and look-ups go by an index of their home", async () => {
  const plans = (ask: () => Promise<unknown>) => plansDuring(server, ask, /actions_/);
  const runner = await aRunner(await tokenOf("/user/actions", ada));
  for (const home of ["/repos/ada/garden/actions", "/orgs/guild/actions", "/user/actions"])
    for (const kind of ["variables", "variables/A", "secrets", "runners", "runners/1"]) {
      if (home === "/user/actions" && kind === "secrets") continue;
      const lines = await plans(() => api("GET", `${home}/${kind}`, ada));
      expect(lines.length).toBeGreaterThan(0);
      expect(scans(lines)).toEqual([]);
    }
  for (const query of ["", "?disabled=true"])
    expect(scans(await plans(() => api("GET", `/admin/actions/runners${query}`, root)))).toEqual([]);
  const lines = await plans(() => rpc(`${RUNNER}/FetchTask`, {}, runner.headers));
  expect(scans(lines)).toEqual([]);
});
