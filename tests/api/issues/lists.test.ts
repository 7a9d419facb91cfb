import { afterAll, beforeAll, expect, test } from "bun:test";
import { asAccount, operator } from "../../../src/access/principal.ts";
import {
  anApi,
  anOrganization,
  aRepo,
  aServer,
  aTeam,
  aToken,
  aUser,
  type TestServer,
  type TestUser,
} from "../../builders.ts";

interface Item {
  readonly number: number;
  readonly title: string;
  readonly repository: { readonly full_name: string };
}

let server: TestServer;
let olga: TestUser;
let wim: TestUser;
let rita: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  olga = await aUser(server, { login: "olga" });
  wim = await aUser(server, { login: "wim" });
  rita = await aUser(server, { login: "rita" });
});
afterAll(() => server.close());

/** A repository of olga's, where wim writes. */
async function aProject(name: string, isPrivate = false): Promise<string> {
  aRepo(server, olga.user, { name, isPrivate });
  await api("PUT", `/repos/olga/${name}/collaborators/wim`, olga, { permission: "write" });
  return `/repos/olga/${name}`;
}

async function anIssue(path: string, who: TestUser, fields: Record<string, unknown> = {}): Promise<number> {
  const made = await api<Item>("POST", `${path}/issues`, who, { title: "Something", ...fields });
  expect(made.status).toBe(201);
  return made.body.number;
}

async function numbers(path: string, who?: TestUser): Promise<number[]> {
  const found = await api<Item[]>("GET", path, who);
  expect([path, found.status]).toEqual([path, 200]);
  return found.body.map(({ number }) => number);
}

test("a list is newest first, open unless asked, in pages with their total", async () => {
  const path = await aProject("pages");
  for (let at = 1; at <= 4; at++) await anIssue(path, rita);
  await anIssue(path, wim, { closed: true });
  expect(await numbers(`${path}/issues`)).toEqual([4, 3, 2, 1]);
  expect(await numbers(`${path}/issues?state=closed`)).toEqual([5]);
  const page = await api<Item[]>("GET", `${path}/issues?state=all&limit=2&page=2`);
  expect(page.body.map(({ number }) => number)).toEqual([3, 2]);
  expect(page.headers.get("x-total-count")).toBe("5");
  expect(page.headers.get("link")).toContain('rel="next"');
});

test("the latest due day comes first, items without one last, across pages", async () => {
  const path = await aProject("due");
  for (const day of [undefined, "2031-05-01", undefined, "2033-05-01", undefined])
    await anIssue(path, wim, day === undefined ? {} : { due_date: `${day}T00:00:00Z` });
  const seen = server.services.repos.see(operator, "olga", "due", () => "");
  const paged = async (limit: number, offset: number) =>
    (await server.services.itemLists.list(seen, { order: "farduedate", state: "open" }, { limit, offset })).items.map(
      ({ issue }) => issue.number,
    );
  for (const size of [1, 2, 3, 5]) {
    const pages: number[] = [];
    for (let offset = 0; offset < 6; offset += size) pages.push(...(await paged(size, offset)));
    expect([size, ...pages]).toEqual([size, 4, 2, 5, 3, 1]);
  }
});

test("labels of a list are all of those that there are, of a search any", async () => {
  const path = await aProject("labels");
  const label = async (name: string) =>
    (await api<{ id: number }>("POST", `${path}/labels`, olga, { name, color: "00aabb" })).body.id;
  const [red, blue] = [await label("red"), await label("blue")];
  await anIssue(path, wim, { labels: [red] });
  await anIssue(path, wim, { labels: [red, blue] });
  await anIssue(path, wim, { labels: [blue], closed: true });
  await anIssue(path, wim);
  expect(await numbers(`${path}/issues?labels=red`)).toEqual([2, 1]);
  expect(await numbers(`${path}/issues?labels=red,blue,green`)).toEqual([2]);
  expect(await numbers(`${path}/issues?labels=green`)).toEqual([4, 2, 1]);
  expect(await numbers(`${path}/issues?labels=blue&state=all`)).toEqual([3, 2]);
  const search = "/repos/issues/search?owner=olga&labels=red,blue";
  expect(await numbers(search)).toEqual([2, 1]);
  const counted = await api("GET", `${path}/issues?labels=red&limit=1`);
  expect(counted.headers.get("x-total-count")).toBe("2");
  await api("DELETE", `${path}/issues/1/labels/${red}`, wim);
  expect((await api("GET", `${path}/issues?labels=red&limit=1`)).headers.get("x-total-count")).toBe("1");
});

test("a word is found in titles, texts and comments, in any letter case and script, and is gone with its text", async () => {
  const path = await aProject("words");
  await anIssue(path, rita, { title: "Das Schloß klemmt" });
  await anIssue(path, rita, { body: "Nothing but a WINDMILL 风车" });
  await anIssue(path, rita, { title: "Plain" });
  const said = await api<{ id: number }>("POST", `${path}/issues/3/comments`, rita, { body: "the windmill again" });
  expect(await numbers(`${path}/issues?q=windmill`)).toEqual([3, 2]);
  expect(await numbers(`${path}/issues?q=NDMIL`)).toEqual([3, 2]);
  expect(await numbers(`${path}/issues?q=${encodeURIComponent("风车")}`)).toEqual([2]);
  expect(await numbers(`${path}/issues?q=${encodeURIComponent("车")}`)).toEqual([2]);
  expect(await numbers(`${path}/issues?q=${encodeURIComponent("SCHLOß kle")}`)).toEqual([1]);
  expect(await numbers(`${path}/issues?q=again`)).toEqual([3]);
  expect(await numbers(`${path}/issues?q=in`)).toEqual([3, 2]);
  expect(await numbers(`${path}/issues?q=${encodeURIComponent('wind"mill')}`)).toEqual([]);
  expect(await numbers(`${path}/issues?q=3`)).toEqual([3]);
  expect(await numbers(`${path}/issues?q=%00`)).toEqual([3, 2, 1]);
  await api("PATCH", `${path}/issues/comments/${said.body.id}`, rita, { body: "the barn" });
  expect(await numbers(`${path}/issues?q=windmill`)).toEqual([2]);
  expect((await api("GET", `${path}/issues?q=windmill&limit=1`)).headers.get("x-total-count")).toBe("1");
  expect(await numbers(`${path}/issues?q=barn`)).toEqual([3]);
  await api("DELETE", `${path}/issues/comments/${said.body.id}`, rita);
  expect(await numbers(`${path}/issues?q=barn`)).toEqual([]);
  await api("POST", `${path}/issues/3/comments`, rita, { body: "the windmill again" });
  expect(await numbers(`${path}/issues?q=windmill`)).toEqual([3, 2]);
  await api("PATCH", `${path}/issues/2`, rita, { body: "No more" });
  await api("DELETE", `${path}/issues/3`, olga);
  expect(await numbers(`${path}/issues?q=windmill`)).toEqual([]);
  expect(await numbers(`${path}/issues?q=no%20more`)).toEqual([2]);
});

test("a search has what the reader may read one by one, and no more", async () => {
  const [open, secret] = [await aProject("open"), await aProject("secret", true)];
  await anIssue(open, olga, { title: "lighthouse in sight" });
  await anIssue(secret, olga, { title: "lighthouse hidden" });
  const found = async (who?: TestUser) => {
    const answer = await api<Item[]>("GET", "/repos/issues/search?q=lighthouse", who);
    expect(answer.headers.get("x-total-count")).toBe(String(answer.body.length));
    return answer.body.map((item) => item.repository.full_name).toSorted();
  };
  expect(await found(olga)).toEqual(["olga/open", "olga/secret"]);
  expect(await found(wim)).toEqual(["olga/open", "olga/secret"]);
  expect(await found(rita)).toEqual(["olga/open"]);
  expect(await found()).toEqual(["olga/open"]);
  const publicOnly = { token: aToken(server, olga.user, ["read:issue", "public-only"]) };
  expect((await api<Item[]>("GET", "/repos/issues/search?q=lighthouse", publicOnly as TestUser)).body).toHaveLength(1);
  // A label and a milestone that are only somewhere hidden say nothing.
  await api("POST", `${secret}/labels`, olga, { name: "undercover", color: "112233" });
  const all = await numbers("/repos/issues/search?state=all", rita);
  expect(await numbers("/repos/issues/search?state=all&labels=undercover", rita)).toEqual(all);
  // With the unit switched off, or the issues kept elsewhere, there is nothing.
  await api("PATCH", open, olga, { has_issues: false });
  expect(await found(rita)).toEqual([]);
  const external_tracker = {
    external_tracker_url: "https://tracker.example.com/",
    external_tracker_format: "https://tracker.example.com/{index}",
    external_tracker_style: "numeric",
  };
  await api("PATCH", open, olga, { has_issues: true, external_tracker });
  expect(await found(olga)).toEqual(["olga/secret"]);
  expect((await api("GET", `${open}/issues/1`, olga)).status).toBe(404);
});

test("a search is narrowed by team, owner and what one has to do with it", async () => {
  const acme = anOrganization(server, olga.user, { login: "acme" });
  const [inside, outside] = [aRepo(server, acme, { name: "in" }), aRepo(server, acme, { name: "out" })];
  const team = aTeam(server, acme, { name: "core", members: [rita.user] });
  await api("PUT", `/teams/${team.id}/repos/acme/${inside.name}`, olga);
  await anIssue(`/repos/acme/${inside.name}`, olga, { assignees: ["rita"] });
  await anIssue(`/repos/acme/${outside.name}`, rita);
  const found = async (query: string, who?: TestUser) =>
    (await api<Item[]>("GET", `/repos/issues/search?${query}`, who)).body.map((item) => item.repository.full_name);
  expect(await found("owner=acme&team=core", rita)).toEqual(["acme/in"]);
  expect(await found("owner=acme", rita)).toEqual(["acme/out", "acme/in"]);
  expect(await found("owner=acme&assigned=true", rita)).toEqual(["acme/in"]);
  expect(await found("owner=acme&created=true", rita)).toEqual(["acme/out"]);
  expect(await found("owner=acme&created_by=rita")).toEqual(["acme/out"]);
  expect((await api("GET", "/repos/issues/search?team=core", rita)).status).toBe(400);
  expect((await api("GET", "/repos/issues/search?owner=acme&team=none", rita)).status).toBe(400);
  expect((await api("GET", "/repos/issues/search?owner=nobody-here", rita)).status).toBe(400);
  expect((await api("GET", "/repos/issues/search?created_by=nobody-here", rita)).status).toBe(404);
});

test("odd values are no error of the server", async () => {
  const path = await aProject("odd");
  await anIssue(path, rita);
  const long = "x".repeat(5_000);
  const odd = [
    "q=%22%22%22",
    "q=*",
    "q=a%20AND%20(",
    "q=%F0%9F%98%80",
    `q=${long}`,
    `labels=${encodeURIComponent(",,,")}`,
    `labels=${"a,".repeat(400)}`,
    "milestones=%00",
    "milestones=-1,0,9e9",
    "page=99999999999",
    "limit=-5",
  ];
  for (const query of odd) {
    for (const list of [`${path}/issues`, "/repos/issues/search"]) {
      const { status } = await api("GET", `${list}?${query}`, rita);
      expect([list, query.slice(0, 40), status]).toEqual([list, query.slice(0, 40), 200]);
    }
  }
  expect(server.errors).toEqual([]);
});

test("by the labels of a scope: in their order, without gaps between pages, those without one last", async () => {
  const at = await aProject("ranks");
  const repo = server.services.repos.seeNamed(asAccount(olga.user), [["olga", "ranks"]]).get("olga/ranks");
  if (!repo) throw new Error("olga sees her repository");
  const label = async (name: string, exclusive = true) =>
    (await api<{ id: number }>("POST", `${at}/labels`, olga, { name, color: "112233", exclusive })).body.id;
  const ids = [await label("rank/b"), await label("rank/a"), await label("rank/last"), await label("rank/x/y")];
  const [b = 0, a = 0, last = 0, deeper = 0] = ids;
  server.core.db.query("UPDATE labels SET exclusive_order = 1 WHERE id = ?").run(last);
  const place = new Map([
    [last, 0],
    [a, 1],
    [b, 2],
  ]);
  const made: { id: number; number: number; label: number }[] = [];
  for (const label of [a, 0, b, last, deeper, a, last, 0, b, a]) {
    const fields = { title: `Item ${made.length}`, labels: label === 0 ? [] : [label] };
    const { id, number } = (await api<{ id: number; number: number }>("POST", `${at}/issues`, olga, fields)).body;
    made.push({ id, number, label });
  }
  // It came to two of them while they were not exclusive.
  server.core.db.query("INSERT INTO issue_labels (issue_id, label_id) VALUES (?, ?)").run(made[2]?.id ?? 0, last);
  const rank = ({ id, label }: { id: number; label: number }) => (id === made[2]?.id ? 0 : (place.get(label) ?? 9));
  const wanted = made.toSorted((one, two) => rank(one) - rank(two) || two.id - one.id).map(({ number }) => number);
  const { itemLists } = server.services;
  for (const filter of [
    { state: "open", scope: "rank" },
    { state: "open", scope: "rank", words: ["Item"] },
  ] as const)
    for (const limit of [1, 3, 4, 50]) {
      const found: number[] = [];
      for (let offset = 0; offset < made.length; offset += limit) {
        const { items, total } = await itemLists.list(repo, filter, { limit, offset });
        expect(total).toBe(made.length);
        found.push(...items.map(({ issue }) => issue.number));
      }
      expect({ filter, limit, found }).toEqual({ filter, limit, found: wanted });
    }
  const none = await itemLists.list(repo, { state: "open", scope: "ra" }, { limit: 50, offset: 0 });
  expect(none.items.map(({ issue }) => issue.number)).toEqual(made.map(({ number }) => number).reverse());
  expect((await itemLists.list(repo, { state: "closed", scope: "rank" }, { limit: 50, offset: 0 })).items).toEqual([]);
});
