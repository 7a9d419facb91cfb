import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asAccount } from "../../../src/access/principal.ts";
import { burnDownOf, DAY_MS } from "../../../src/milestones/burn-down.ts";
import { anApi, aRepo, aServer, aUser, type TestServer, type TestUser } from "../../builders.ts";

/** Milestones over REST (contract issues.md 14). */

let server: TestServer;
let ada: TestUser;
let wendy: TestUser;
let bob: TestUser;

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  wendy = await aUser(server, { login: "wendy" });
  bob = await aUser(server, { login: "bob" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const api = anApi(() => server);

interface MilestoneBody {
  readonly id: number;
  readonly title: string;
  readonly state: string;
  readonly due_on: string | null;
  readonly closed_at: string | null;
}

function aProject(request: Parameters<typeof aRepo>[2] = {}) {
  const repo = aRepo(server, ada.user, request);
  const seen = server.services.repos.see(asAccount(ada.user), "ada", repo.name, () => "");
  server.services.collaborators.put(seen, wendy.user, "write");
  return { repo, seen, path: `/repos/ada/${repo.name}/milestones` };
}

const aMilestone = async (path: string, title: string, fields: Record<string, unknown> = {}) =>
  (await api<MilestoneBody>("POST", path, wendy, { title, ...fields })).body;
const titles = (list: readonly MilestoneBody[]) => list.map(({ title }) => title);

test("what is left is told day by day, in steps when there are many days", () => {
  const day = (at: number) => at * DAY_MS;
  const changes = [
    { day: day(10), added: 3, closed: 0 },
    { day: day(12), added: 1, closed: 2 },
  ];
  expect(burnDownOf(changes, day(20) + 5, day(13) + 1)).toEqual({
    dueDay: day(20),
    points: [
      { day: day(10), left: 3 },
      { day: day(11), left: 3 },
      { day: day(12), left: 2 },
      { day: day(13), left: 2 },
    ],
  });
  const long = burnDownOf(changes, undefined, day(10_000));
  expect(long.points.length).toBeLessThanOrEqual(120);
  expect(long.points.at(-1)?.left).toBe(2);
  expect(burnDownOf([], undefined, day(1))).toEqual({ points: [], dueDay: undefined });
});

describe("milestones", () => {
  test("are made open or closed, with the time they are due as it was given", async () => {
    const { path } = aProject();
    const open = await aMilestone(path, "  v1  ", { due_on: "2031-05-06T07:08:09+02:00", state: "whatever" });
    expect(open).toMatchObject({ title: "v1", state: "open", due_on: "2031-05-06T05:08:09Z", closed_at: null });
    const closed = await aMilestone(path, "v0", { state: "closed" });
    expect(closed).toMatchObject({ state: "closed", closed_at: expect.any(String), due_on: null });
    expect((await api("POST", path, wendy, {})).status).toBe(422);
    for (const body of [{ title: " " }, { title: "x".repeat(300) }, { title: "v2", due_on: "tomorrow" }, { title: 7 }])
      expect((await api("POST", path, wendy, body)).status).toBe(422);
  });

  test("are due at the end of the day they are moved to; null takes the day away, silence leaves it", async () => {
    const { path } = aProject();
    const { id } = await aMilestone(path, "v1");
    const edit = async (body: unknown) => (await api<MilestoneBody>("PATCH", `${path}/${id}`, wendy, body)).body.due_on;
    expect(await edit({ due_on: "2031-05-06T07:00:00Z" })).toBe("2031-05-06T23:59:59Z");
    expect(await edit({ description: "d" })).toBe("2031-05-06T23:59:59Z");
    expect(await edit({ due_on: null })).toBeNull();
  });

  test("are closed and opened, and keep when", async () => {
    const { path } = aProject();
    const { id } = await aMilestone(path, "v1");
    const edit = async (body: unknown) => (await api<MilestoneBody>("PATCH", `${path}/${id}`, wendy, body)).body;
    const closed = await edit({ state: "closed" });
    expect(closed).toMatchObject({ state: "closed", title: "v1" });
    expect(closed.closed_at).toBeString();
    expect((await edit({ title: "" })).closed_at).toBe(closed.closed_at);
    expect(await edit({ state: "anything" })).toMatchObject({ state: "open", closed_at: null });
  });

  test("are listed by the day they are due, then by title; by state and by a part of the title", async () => {
    const { path } = aProject();
    await aMilestone(path, "late", { due_on: "2032-01-01T00:00:00Z" });
    await aMilestone(path, "soon", { due_on: "2031-01-01T00:00:00Z" });
    await aMilestone(path, "b never");
    await aMilestone(path, "A Never");
    await aMilestone(path, "done", { state: "closed" });
    const list = async (query: string) => titles((await api<MilestoneBody[]>("GET", `${path}${query}`)).body);
    expect(await list("")).toEqual(["A Never", "b never", "soon", "late"]);
    expect(await list("?state=closed")).toEqual(["done"]);
    expect(await list("?state=all&name=NEV")).toEqual(["A Never", "b never"]);
    expect(await list("?name=%25")).toEqual([]);
    const page = await api<MilestoneBody[]>("GET", `${path}?state=all&limit=2&page=3`);
    expect([titles(page.body), page.headers.get("x-total-count")]).toEqual([["late"], "5"]);
  });

  test("are found by number first, then by title, also for changes", async () => {
    const { path } = aProject();
    const first = await aMilestone(path, "v1");
    const named = await aMilestone(path, String(first.id));
    const other = await aMilestone(path, "987654321");
    expect((await api("GET", `${path}/${first.id}`)).body["title"]).toBe("v1");
    expect((await api("GET", `${path}/${named.id}`)).body["title"]).toBe(String(first.id));
    expect((await api("GET", `${path}/987654321`)).body["id"]).toBe(other.id);
    expect((await api("PATCH", `${path}/v1`, wendy, { title: "v1.0" })).body["id"]).toBe(first.id);
    expect((await api("DELETE", `${path}/v1.0`, wendy)).status).toBe(204);
    expect((await api("DELETE", `${path}/v1.0`, wendy)).status).toBe(404);
  });

  test("of another repository are not there, and only writers change them", async () => {
    const { path, seen } = aProject();
    const other = aProject();
    const hidden = aProject({ isPrivate: true });
    const { id } = await aMilestone(path, "v1");
    expect((await api("GET", `${other.path}/${id}`)).status).toBe(404);
    expect((await api("PATCH", `${other.path}/${id}`, ada, { title: "stolen" })).status).toBe(404);
    expect((await api("DELETE", `${other.path}/${id}`, ada)).status).toBe(404);
    for (const [method, at, body] of [
      ["POST", "", { due_on: "nonsense" }],
      ["PATCH", `/${id}`, { title: 7 }],
      ["DELETE", `/${id}`, undefined],
    ] as const) {
      expect((await api(method, `${path}${at}`, bob, body)).status).toBe(403);
      expect((await api(method, `${path}${at}`, undefined, body)).status).toBe(401);
      expect((await api(method, `${hidden.path}${at}`, bob, body)).status).toBe(404);
    }
    server.services.repos.edit(seen, { isArchived: true });
    expect((await api("PATCH", `${path}/${id}`, ada, { title: "x" })).status).toBe(423);
  });
});
