import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, aRepo, aServer, aSession, aUser, call, type TestServer, type TestUser } from "../builders.ts";

let server: TestServer;
let olga: TestUser;
let rita: TestUser;
let olgas: string;
let ritas: string;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  olga = await aUser(server, { login: "olga" });
  rita = await aUser(server, { login: "rita" });
  [olgas, ritas] = [await aSession(server, olga.user), await aSession(server, rita.user)];
});
afterAll(() => server.close());

const page = (path: string, cookie?: string) => call(server, "GET", path, cookie ? { cookie } : {});
/** As htmx asks for a part of a page. */
const part = (path: string, cookie?: string) =>
  call(server, "GET", path, { headers: { "hx-request-type": "partial" }, ...(cookie ? { cookie } : {}) });
const post = (path: string, cookie: string, form: Record<string, string>) =>
  call(server, "POST", path, {
    cookie,
    headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
    body: new URLSearchParams(form).toString(),
  });

interface Made {
  readonly id: number;
  readonly number: number;
}

async function aProject(name: string, isPrivate = false): Promise<string> {
  aRepo(server, olga.user, { name, isPrivate });
  return `/repos/olga/${name}`;
}
const anIssue = async (path: string, who: TestUser, fields: Record<string, unknown>) =>
  (await api<Made>("POST", `${path}/issues`, who, fields)).body;

test("the list shows what the query says, and says when nothing is called so", async () => {
  const path = await aProject("plan");
  const label = (await api<Made>("POST", `${path}/labels`, olga, { name: "needs work", color: "#ff8800" })).body;
  await anIssue(path, olga, { title: "Paint the <b>door</b>", labels: [label.id], assignees: ["olga"] });
  await anIssue(path, rita, { title: "Oil the hinges", body: "- [x] buy\n- [ ] pour" });
  await anIssue(path, olga, { title: "Sweep", closed: true });
  const all = await page("/olga/plan/issues");
  expect(all.status).toBe(200);
  expect(all.text).toContain("Paint the &lt;b&gt;door&lt;/b&gt;");
  expect(all.text).toContain("Oil the hinges");
  expect(all.text).toContain("1 of 2");
  expect(all.text).not.toContain("Sweep");
  const shown = async (query: string, cookie?: string) => {
    const { text } = await page(`/olga/plan/issues?q=${encodeURIComponent(query)}`, cookie);
    return ["Paint", "Oil", "Sweep"].filter((title) => text.includes(title));
  };
  expect(await shown('label:"needs work"')).toEqual(["Paint"]);
  expect(await shown('-label:"needs work" is:open')).toEqual(["Oil"]);
  expect(await shown("no:label is:all sort:oldest")).toEqual(["Oil", "Sweep"]);
  expect(await shown("author:rita")).toEqual(["Oil"]);
  expect(await shown("author:me", olgas)).toEqual(["Paint"]);
  expect(await shown("assignee:none")).toEqual(["Oil"]);
  expect(await shown("is:closed")).toEqual(["Sweep"]);
  expect(await shown("hinges oil")).toEqual(["Oil"]);
  expect(await shown('"hinges oil"')).toEqual([]);
  expect(await shown("created:<2020-01-01")).toEqual([]);
  expect(await shown("is:all closed:>=2020-01-01")).toEqual(["Sweep"]);
  expect(await shown("is:all closed:<2020-01-01")).toEqual([]);
  const none = await page("/olga/plan/issues?q=label:nothing");
  expect(none.text).toContain("Nothing here is called nothing.");
  expect((await page(`/olga/plan/issues?labels=${label.id}`)).text).not.toContain("Oil");
  expect((await page(`/olga/plan/issues?labels=-${label.id}&state=all&sort=oldest`)).text).not.toContain("Paint");
});

test("menus narrow the list, a choice goes as it came, and what is chosen stands above the list", async () => {
  const path = await aProject("menus");
  const label = async (fields: object) =>
    (await api<Made>("POST", `${path}/labels`, olga, { color: "#00ff00", ...fields })).body.id;
  const bug = await label({ name: "bug" });
  const first = await label({ name: "rank/one", exclusive: true });
  const old = await label({ name: "ancient", is_archived: true });
  await anIssue(path, olga, { title: "Paint", labels: [bug, first] });
  await anIssue(path, rita, { title: "Oil" });
  const at = "/olga/menus/issues";
  const offered = async (name: string, query = "") => (await page(`${at}?${query}menu=${name}`)).text;
  const choices = [
    ["author", "poster=rita"],
    ["label", `labels=${bug}`],
    ["label", `labels=-${bug}`],
    ["label", "archived_labels=true"],
    ["order", "sort=scope-rank"],
    ["milestone", "milestone=-1"],
    ["assignee", "assignee=%28any%29"],
  ] as const;
  const list = await page(at);
  for (const [menu, choice] of choices) {
    expect([menu, choice, (await offered(menu)).includes(choice)]).toEqual([menu, choice, true]);
    expect(list.text).toContain(`href="${at}?menu=${menu}"`);
  }
  expect(await offered("label")).not.toContain("ancient");
  expect(await offered("label", "archived_labels=true&")).toContain(`labels=${old}`);
  const both = await page(`${at}?labels=${bug}%2C${first}&sort=oldest&menu=label`);
  expect(both.text).toContain("Paint");
  // The label that is set is taken away by the same entry, the other one stays.
  expect(both.text).toContain(`labels=${first}&amp;sort=oldest`);
  expect(both.text).toContain("Label: rank/one");
  const without = await page(`${at}?labels=-${bug}&poster=rita`);
  expect(without.text).toContain("Oil");
  expect(without.text).not.toContain(">Paint<");
  for (const chip of ["Without bug", "Author: rita"]) expect(without.text).toContain(chip);
  expect((await page(`${at}?labels=99999&milestone=99999&assignee=99999`)).text).not.toContain("undefined");
});

test("an item's priority is its label of that scope, wherever the label comes from and goes", async () => {
  const path = await aProject("urgent");
  const label = async (name: string, more: object = {}) =>
    (await api<Made>("POST", `${path}/labels`, olga, { name, color: "#ff0000", exclusive: true, ...more })).body.id;
  const ids = [await label("Priority/low"), await label("Priority/high"), await label("Priority/of/none")];
  const [low = 0, high = 0] = ids;
  const order = (id: number, place: string) =>
    post("/olga/urgent/labels/edit", olgas, {
      id: String(id),
      title: id === low ? "Priority/low" : "Priority/high",
      color: "#ff0000",
      exclusive: "on",
      exclusive_order: place,
    });
  const items: number[] = [];
  for (const labels of [[high], [low], [], ids.slice(2)])
    items.push((await anIssue(path, olga, { title: "Task", labels })).id);
  const give = (numbers: readonly number[], label: number) =>
    post("/olga/urgent/issues/labels?action=attach", olgas, {
      issue_ids: numbers.map((number) => items[number - 1]).join(","),
      label: String(label),
    });
  const titles = async () => {
    const { text } = await page("/olga/urgent/issues?sort=priority");
    const asked = await page("/olga/urgent/issues?q=sort:priority");
    expect(asked.text.match(/item-title" href="[^"]+"/g)).toEqual(text.match(/item-title" href="[^"]+"/g));
    return [...text.matchAll(/item-title" href="[^"]+\/(\d+)"/g)].map(([, number]) => Number(number));
  };
  expect((await order(low, "2")).status).toBe(303);
  expect((await order(high, "1")).status).toBe(303);
  expect(await titles()).toEqual([1, 2, 4, 3]);
  // A page gives it to several at once, and takes the other of the scope away.
  expect((await give([2, 3], high)).status).toBe(200);
  expect(await titles()).toEqual([3, 2, 1, 4]);
  await order(high, "3");
  await give([1], low);
  expect(await titles()).toEqual([1, 3, 2, 4]);
  await api("DELETE", `${path}/labels/${high}`, olga);
  expect(await titles()).toEqual([1, 4, 3, 2]);
});

test("scripts ask for authors and items, of what they may read", async () => {
  const path = await aProject("scripts");
  await anIssue(path, olga, { title: "Mine" });
  await anIssue(path, rita, { title: "Hers" });
  const secret = await aProject("scripts-secret", true);
  await anIssue(secret, olga, { title: "Hidden" });
  const names = async (query: string) =>
    (
      JSON.parse((await page(`/olga/scripts/issues/posters${query}`)).text) as { results: { username: string }[] }
    ).results
      .map(({ username }) => username)
      .join();
  expect(await names("")).toBe("olga,rita");
  expect(await names("?q=RI")).toBe("rita");
  expect(await names("?q=%25")).toBe("");
  // An empty repository has no pull requests to read.
  expect((await page("/olga/scripts/pulls/posters")).status).toBe(404);
  const titles = async (at: string, cookie?: string) =>
    (JSON.parse((await page(at, cookie)).text) as { title: string }[]).map(({ title }) => title).join();
  expect(await titles("/olga/scripts/issues/search?q=mine")).toBe("Mine");
  expect(await titles("/olga/scripts/issues/search?state=all&limit=1")).toBe("Hers");
  expect(await titles("/issues/search?q=Hidden", olgas)).toBe("Hidden");
  expect(await titles("/issues/search?q=Hidden", ritas)).toBe("");
  for (const at of ["issues/search", "issues/posters", "pulls/posters"])
    expect((await page(`/olga/scripts-secret/${at}`, ritas)).status).toBe(404);
});

test("several are changed at once, or none", async () => {
  const path = await aProject("bulk");
  const other = await aProject("elsewhere");
  const label = (await api<Made>("POST", `${path}/labels`, olga, { name: "soon", color: "112233" })).body;
  const [one, two] = [await anIssue(path, olga, { title: "One" }), await anIssue(path, rita, { title: "Two" })];
  const foreign = await anIssue(other, olga, { title: "Three" });
  const issue_ids = `${one.id},${two.id}`;
  const back = { redirect_to: "/olga/bulk/issues" };
  const sees = await page("/olga/bulk/issues", olgas);
  expect(sees.text).toContain("Change selected");
  expect((await page("/olga/bulk/issues", ritas)).text).not.toContain("Change selected");
  const whole = await page("/olga/bulk/issues?menu=bulk", olgas);
  expect(whole.text).toContain("/olga/bulk/issues/labels?action=attach");
  const alone = await part("/olga/bulk/issues?menu=bulk", olgas);
  expect([alone.text.startsWith("<div"), alone.text.includes(">soon</option>")]).toEqual([true, true]);
  for (const [menu, cookie] of [
    ["bulk", ritas],
    ["bulk", undefined],
    ["nothing", olgas],
  ] as const)
    expect((await part(`/olga/bulk/issues?menu=${menu}`, cookie)).status).toBe(404);
  expect((await part("/olga/bulk/issues?menu=label")).text).toMatch(/^<ul>.*soon/s);

  const labelled = await post("/olga/bulk/issues/labels?action=attach", olgas, {
    issue_ids,
    label: `${label.id}`,
    ...back,
  });
  expect([labelled.status, labelled.headers.get("location")]).toEqual([303, "/olga/bulk/issues"]);
  const labels = async (number: number) => (await api<Made[]>("GET", `${path}/issues/${number}/labels`)).body.length;
  expect([await labels(1), await labels(2)]).toEqual([1, 1]);

  const states = async () =>
    (await api<{ state: string }[]>("GET", `${path}/issues?state=all`)).body.map(({ state }) => state);
  // Not even what a reader wrote is closed from the list by them.
  expect((await post("/olga/bulk/issues/status?action=close", ritas, { issue_ids })).status).toBe(404);
  expect(await states()).toEqual(["open", "open"]);
  expect((await post("/olga/bulk/issues/status?action=close", ritas, { issue_ids: `${two.id}` })).status).toBe(404);
  expect((await post("/olga/bulk/issues/status?action=close", olgas, { issue_ids })).status).toBe(200);
  expect(await states()).toEqual(["closed", "closed"]);

  expect((await post("/olga/bulk/issues/delete", olgas, { issue_ids: `${one.id},${foreign.id}` })).status).toBe(404);
  expect((await post("/olga/bulk/issues/delete", ritas, { issue_ids })).status).toBe(404);
  expect(await states()).toEqual(["closed", "closed"]);
  expect((await post("/olga/bulk/issues/delete", olgas, { issue_ids, ...back })).status).toBe(303);
  expect(await states()).toEqual([]);
  expect((await post("/olga/bulk/issues/delete", olgas, back)).status).toBe(303);
});

test("lists of everything have what concerns one, and nothing that is hidden", async () => {
  const [open, secret] = [await aProject("wide"), await aProject("closed-off", true)];
  await anIssue(open, olga, { title: "For everyone" });
  await anIssue(open, olga, { title: "For Rita", assignees: ["rita"] });
  await anIssue(secret, olga, { title: "Behind the curtain" });
  expect((await page("/issues")).status).toBe(303);
  const own = await page("/issues", olgas);
  for (const title of ["For everyone", "For Rita", "Behind the curtain"]) expect(own.text).toContain(title);
  const assigned = await page("/issues?type=assigned", ritas);
  expect(assigned.text).toContain("For Rita");
  expect(assigned.text).not.toContain("For everyone");
  expect((await page("/issues?type=all&q=curtain", ritas)).text).not.toContain("Behind the curtain");
  expect((await page("/issues?q=repo:olga/closed-off", ritas)).text).not.toContain("Behind");
  expect((await page("/", ritas)).text).toContain("For Rita");
  expect((await page("/pulls", ritas)).status).toBe(200);
  expect((await page("/olga/closed-off/issues", ritas)).status).toBe(404);
});

test("a search is kept under a name, by whom it belongs to", async () => {
  await aProject("kept");
  const kept = { name: "Mine", query: "author:me is:open", redirect_to: "/olga/kept/issues" };
  expect((await post("/olga/kept/issues/searches", olgas, kept)).status).toBe(303);
  const shown = await page("/olga/kept/issues", olgas);
  expect(shown.text).toContain("/olga/kept/issues?q=author%3Ame+is%3Aopen");
  expect((await page("/olga/kept/issues", ritas)).text).not.toContain("author%3Ame");
  const id = /name="id" value="(\d+)"/.exec(shown.text)?.[1] ?? "";
  expect((await post("/olga/kept/issues/searches/delete", ritas, { id })).status).toBe(404);
  expect((await post("/olga/kept/issues/searches/delete", olgas, { id })).status).toBe(303);
  expect((await page("/olga/kept/issues", olgas)).text).not.toContain("author%3Ame");
  expect((await post("/issues/searches", olgas, { name: "x".repeat(61), query: "a" })).status).toBe(303);
});

test("with an external tracker the list is there", async () => {
  const path = await aProject("tracked");
  const external_tracker = {
    external_tracker_url: "https://tracker.example.com/",
    external_tracker_format: "https://tracker.example.com/{index}",
    external_tracker_style: "numeric",
  };
  await api("PATCH", path, olga, { has_issues: true, external_tracker });
  const answer = await page("/olga/tracked/issues");
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "https://tracker.example.com/"]);
});

test("who administers orders what is pinned", async () => {
  const path = await aProject("pins");
  const made = [];
  for (const title of ["One", "Two", "Three"]) {
    const issue = await anIssue(path, olga, { title });
    await api("POST", `${path}/issues/${issue.number}/pin`, olga);
    made.push(issue);
  }
  const [one, , three] = made;
  if (!one || !three) throw new Error("three issues");
  const order = async () =>
    (await api<{ title: string }[]>("GET", `${path}/issues/pinned`, olga)).body.map(({ title }) => title).join();
  expect((await page("/olga/pins/issues", olgas)).text).toContain("/olga/pins/issues/move_pin");
  expect((await page("/olga/pins/issues", ritas)).text).not.toContain("/olga/pins/issues/move_pin");
  const form = { id: String(three.id), position: "1", redirect_to: "/olga/pins/issues" };
  expect((await post("/olga/pins/issues/move_pin", ritas, form)).status).toBe(404);
  expect((await post("/olga/pins/issues/move_pin", olgas, form)).status).toBe(303);
  expect(await order()).toBe("Three,One,Two");
  const send = (method: string, sub: string, body?: unknown) =>
    call(server, method, `/olga/pins/issues/${sub}`, {
      cookie: olgas,
      headers: { "sec-fetch-site": "same-origin" },
      ...(body ? { body } : {}),
    });
  expect((await send("POST", "move_pin", { id: one.id, position: 1 })).text).toBe('{"ok":true}');
  expect(await order()).toBe("One,Three,Two");
  const elsewhere = await anIssue(await aProject("pins-elsewhere"), olga, { title: "Foreign" });
  for (const body of [{ id: elsewhere.id, position: 1 }, { id: one.id, position: 0 }, { id: "x" }, [], { id: 1e99 }])
    expect([400, 404, 422]).toContain((await send("POST", "move_pin", body)).status);
  expect((await send("DELETE", `unpin/${one.number}`)).text).toBe('{"ok":true}');
  expect(await order()).toBe("Three,Two");
});
