import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asAccount } from "../../src/access/principal.ts";
import { anApi, anOrganization, aRepo, aServer, aSession, aUser, type TestServer, type TestUser } from "../builders.ts";
import { aPage, aPageOf, type Visitor, wordsOf } from "./browser-calls.ts";

/** Labels, milestones and boards by forms, without JavaScript. */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let browser: Visitor;
let stranger: Visitor;

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
  aRepo(server, ada.user, { name: "engine", files: { "a.txt": "a\n" } });
  anOrganization(server, ada.user, { login: "acme" });
  [browser, stranger] = [await visitor(ada), await visitor(bob)];
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

async function visitor(user: TestUser): Promise<Visitor> {
  return aPageOf(server, user.user);
}
const api = anApi(() => server);
const leadsTo = ({ headers, status }: { status: number; headers: Headers }) => [status, headers.get("location")];
const anIssue = async (title: string, fields: object = {}) =>
  (await api<{ id: number; number: number }>("POST", "/repos/ada/engine/issues", ada, { title, ...fields })).body;

describe("labels", () => {
  const base = "/ada/engine/labels";
  const labels = async (path = "/repos/ada/engine") =>
    (await api<{ id: number; name: string; color: string }[]>("GET", `${path}/labels`, ada)).body;

  test("are begun with a set, made, refused with what was typed, changed and deleted", async () => {
    expect(wordsOf((await browser.get(base)).text)).toContain("Start with a set of labels");
    expect(leadsTo(await browser.post(`${base}/initialize`, { template: "Default" }))).toEqual([303, base]);
    expect(await labels()).toHaveLength(7);
    expect(wordsOf((await browser.get(base)).text)).not.toContain("Start with a set of labels");
    const fields = { title: "kind/bug", color: "#112233", description: "d", exclusive: "on", exclusive_order: "2" };
    expect(leadsTo(await browser.post(`${base}/new`, fields))).toEqual([303, base]);
    const made = (await labels()).find(({ name }) => name === "kind/bug");
    expect(made).toMatchObject({ color: "112233", exclusive: true } as never);
    const refused = await browser.post(`${base}/edit`, {
      ...fields,
      id: String(made?.id),
      title: "",
      color: "nonsense",
    });
    expect(refused.status).toBe(422);
    for (const long of [{ title: "n".repeat(51) }, { description: "d".repeat(201) }])
      for (const [page, id] of [
        ["new", {}],
        ["edit", { id: String(made?.id) }],
      ] as const) {
        const answer = await browser.post(`${base}/${page}`, { ...fields, ...id, ...long });
        expect([page, answer.status, answer.text.includes(Object.values(long).join(""))]).toEqual([page, 422, true]);
      }
    const edited = await browser.get(`${base}?edit=${made?.id}`);
    expect(edited.text).toContain('value="kind/bug"');
    await browser.post(`${base}/edit`, { ...fields, id: String(made?.id), title: "kind/flaw", is_archived: "on" });
    expect(await labels()).toContainEqual(expect.objectContaining({ name: "kind/flaw", is_archived: true }));
    expect(leadsTo(await browser.post(`${base}/delete`, { id: String(made?.id) }))).toEqual([303, base]);
    expect((await labels()).map(({ name }) => name)).not.toContain("kind/flaw");
    expect((await browser.get(`${base}?q=QUEST`)).text).toMatch(/question(?!.*wontfix)/s);
  });

  test("of an organization are in its settings and under those of its repositories", async () => {
    const own = "/org/acme/settings/labels";
    expect((await stranger.get(own)).status).toBe(404);
    expect(leadsTo(await browser.post(`${own}/new`, { title: "ours", color: "#445566" }))).toEqual([303, own]);
    expect((await browser.get(own)).text).toContain("ours");
    const acme = server.services.identity.byLogin("acme");
    if (acme) aRepo(server, acme, { name: "shared", creator: ada.user });
    expect(wordsOf((await stranger.get("/acme/shared/labels")).text)).toContain("Labels of acme");
  });

  test("do not exist as forms for who may not write", async () => {
    for (const path of ["new", "edit", "delete", "initialize"])
      expect((await stranger.post(`${base}/${path}`, { title: "mine", color: "#ff0000" })).status).toBe(404);
    expect((await stranger.get(base)).text).not.toContain("?new=1");
  });
});

describe("milestones", () => {
  const base = "/ada/engine/milestones";
  const all = async () =>
    (
      await api<{ id: number; title: string; state: string; due_on: string | null }[]>(
        "GET",
        "/repos/ada/engine/milestones?state=all",
        ada,
      )
    ).body;

  test("are made, refused with what was typed, shown with what is left, closed and deleted", async () => {
    const fields = { title: "Opening day", content: "cut the **ribbon**", deadline: "2031-05-06" };
    const refused = await browser.post(`${base}/new`, { ...fields, deadline: "2031-02-30" });
    expect([refused.status, wordsOf(refused.text)]).toEqual([422, expect.stringContaining("This is not a date.")]);
    const tooLong = await browser.post(`${base}/new`, { ...fields, title: "m".repeat(51) });
    expect([tooLong.status, tooLong.text.includes("m".repeat(51))]).toEqual([422, true]);
    expect(leadsTo(await browser.post(`${base}/new`, fields))).toEqual([303, base]);
    const [made] = await all();
    expect(made).toMatchObject({ title: "Opening day", due_on: "2031-05-06T23:59:59Z" });
    const [open, done] = [
      await anIssue("to do", { milestone: made?.id }),
      await anIssue("all done", { milestone: made?.id }),
    ];
    await api("PATCH", `/repos/ada/engine/issues/${done.number}`, ada, { state: "closed" });
    const page = await browser.get(`/ada/engine/milestone/${made?.id}`);
    expect(page.text).toContain("<strong>ribbon</strong>");
    expect(wordsOf(page.text)).toContain("50% done");
    expect(page.text).toContain(`/ada/engine/issues/${open.number}`);
    expect((await browser.get(`/ada/engine/milestone/${made?.id}?state=closed`)).text).toContain("all done");
    expect(wordsOf((await browser.get("/milestones")).text)).toContain("Opening day");
    expect((await stranger.get("/milestones")).text).not.toContain("Opening day");
    await browser.post(`${base}/${made?.id}/close`, {});
    expect((await all())[0]?.state).toBe("closed");
    expect((await browser.get(`${base}?state=closed`)).text).toContain("Opening day");
    await browser.post(`${base}/${made?.id}/edit`, { ...fields, title: "Second day", deadline: "" });
    expect(await all()).toMatchObject([{ title: "Second day", due_on: null, state: "closed" }]);
    expect(leadsTo(await browser.post(`${base}/delete`, { id: String(made?.id) }))).toEqual([303, base]);
    expect(await all()).toEqual([]);
  });

  test("do not exist as forms for who may not write, nor pages of what is not there", async () => {
    for (const path of ["new", "1/edit"]) expect((await stranger.get(`${base}/${path}`)).status).toBe(404);
    for (const path of ["new", "delete", "1/close"])
      expect((await stranger.post(`${base}/${path}`, { title: "mine" })).status).toBe(404);
    for (const path of ["99999999", "none"])
      expect((await browser.get(`/ada/engine/milestone/${path}`)).status).toBe(404);
    expect((await aPage(server).get("/milestones")).status).toBe(303);
  });
});

describe("boards", () => {
  const base = "/ada/engine/projects";
  const seen = () => server.services.repos.see(asAccount(ada.user), "ada", "engine", () => "");
  const newest = (home = seen() as Parameters<typeof server.services.projects.list>[0]) => {
    const filter = { state: "all", text: "", order: "newest" } as const;
    const [project] = server.services.projects.list(home, filter, { limit: 1, offset: 0 }).items;
    if (!project) throw new Error("there is no board");
    return { home, project };
  };
  const columns = (board = newest()) => server.services.boards.columns(board);
  const cards = (title: string, board = newest()) => {
    const column = columns(board).find((each) => each.title === title);
    if (!column) throw new Error(`no column ${title}`);
    return server.services.boards
      .cards(board, column, { labelIds: [] }, { limit: 50, offset: 0 })
      .items.map(({ issue }) => issue.id);
  };

  test("are made from a template; cards are added and moved by forms", async () => {
    expect((await browser.post(`${base}/new`, { title: "" })).status).toBe(422);
    const made = await browser.post(`${base}/new`, {
      title: "Road",
      content: "*map*",
      template_type: "1",
      card_type: "0",
    });
    expect(leadsTo(made)).toEqual([303, base]);
    const { project } = newest();
    const board = `${base}/${project.id}`;
    const [one, two] = [await anIssue("first card"), await anIssue("second card")];
    for (const { number } of [one, two]) await browser.post(`${board}/cards/add`, { item: `#${number}` });
    expect(cards("Backlog")).toEqual([one.id, two.id]);
    const done = columns().find(({ title }) => title === "Done");
    expect(
      leadsTo(
        await browser.post(`${board}/cards`, { issue: String(two.id), column: String(done?.id), place: "bottom" }),
      ),
    ).toEqual([303, board]);
    await browser.post(`${board}/cards`, { issue: String(one.id), column: String(done?.id), place: "top" });
    expect(cards("Done")).toEqual([one.id, two.id]);
    await browser.post(`${board}/cards`, { issue: String(one.id), place: "down" });
    expect(cards("Done")).toEqual([two.id, one.id]);
    await browser.post(`${board}/cards`, { issue: String(one.id), place: "up" });
    expect(cards("Done")).toEqual([one.id, two.id]);
    const page = await browser.get(`${board}?move=${one.id}`);
    expect(wordsOf(page.text)).toContain("Move first card");
    expect(page.text).toContain("<em>map</em>");
    await browser.post(`${board}/cards`, { issue: String(one.id), place: "off" });
    expect(cards("Done")).toEqual([two.id]);
    for (const item of ["#99999", "engine", "<b>"])
      expect((await browser.post(`${board}/cards/add`, { item })).status).toBe(404);
  });

  test("take columns and moves as JSON, all or none", async () => {
    const board = `${base}/${newest().project.id}`;
    const cookie = await aSession(server, ada.user);
    const headers = { "content-type": "application/json", cookie, "sec-fetch-site": "same-origin" };
    const send = (method: string, path: string, body: object) =>
      fetch(`${server.url.replace(/\/$/, "")}${board}${path}`, { method, headers, body: JSON.stringify(body) });
    const names = () => columns().map(({ title }) => title);
    expect((await send("POST", "/columns/new", { title: "Later", color: "#00aabb" })).status).toBe(200);
    expect(names().at(-1)).toBe("Later");
    const later = columns().at(-1)?.id;
    expect(await (await send("PUT", `/${later}`, { title: "Much later" })).json()).toEqual({ ok: true });
    const order = columns().map(({ id }, at) => ({ columnID: id, sorting: 10 - at }));
    expect((await send("POST", "/move", { columns: [...order, { columnID: 999_999, sorting: 0 }] })).status).toBe(404);
    const before = names();
    expect((await send("POST", "/move", { columns: order })).status).toBe(200);
    expect(names()).toEqual(before.toReversed());
    const [card] = cards("Done");
    expect(
      (
        await send("POST", `/${later}/move`, {
          issues: [
            { issueID: card, sorting: 0 },
            { issueID: 999_999, sorting: 1 },
          ],
        })
      ).status,
    ).toBe(404);
    expect((await send("POST", `/${later}/move`, { issues: [{ issueID: "x" }] })).status).toBe(404);
    expect((await send("POST", `/${later}/move`, { issues: [{ issueID: card, sorting: 0 }] })).status).toBe(200);
    expect(cards("Much later")).toEqual([card ?? 0]);
    expect((await send("DELETE", `/${later}`, {})).status).toBe(200);
    expect(cards("Backlog")).toEqual([card ?? 0]);
    expect((await send("DELETE", `/${columns().find(({ isDefault }) => isDefault)?.id}`, {})).status).toBe(400);
  });

  test("are set from an item, with the column in which it stands", async () => {
    const { project } = newest();
    const { id } = await anIssue("third card");
    const answer = await browser.post(`/ada/engine/issues/projects?issue_ids=${id}`, { id: String(project.id) });
    expect([answer.status, answer.text]).toEqual([200, '{"ok":true}']);
    const done = columns().find(({ title }) => title === "Done");
    const moved = await browser.post("/ada/engine/issues/projects/column", {
      issue_id: String(id),
      id: String(done?.id),
      redirect_to: "/ada/engine",
    });
    expect(leadsTo(moved)).toEqual([303, "/ada/engine"]);
    expect(cards("Done")).toEqual([id]);
    expect((await stranger.post(`/ada/engine/issues/projects?issue_ids=${id}`, { id: "" })).status).toBe(403);
    expect((await browser.post(`/ada/engine/issues/projects?issue_ids=${id},999999`, { id: "" })).status).toBe(404);
    await browser.post(`/ada/engine/issues/projects?issue_ids=${id}`, { id: "" });
    expect(cards("Done")).toEqual([]);
  });

  test("an issue is made from its board with all that the address plans, and leads back there", async () => {
    await browser.post(`${base}/new`, { title: "From here", template_type: "1" });
    const { project } = newest();
    const board = `${base}/${project.id}`;
    const form = `/ada/engine/issues/new?project=${project.id}&redirect_after_creation=project`;
    expect((await browser.get(board)).text).toContain(form.replace("&", "&amp;"));
    expect((await stranger.get(board)).text).not.toContain("issues/new");
    const label = await api<{ id: number }>("POST", "/repos/ada/engine/labels", ada, {
      name: "road",
      color: "#112233",
    });
    const page = (await browser.get(`${form}&labels=road&assignees=ada`)).text;
    const ticked = [...page.matchAll(/<input type="checkbox" name="(\w+)" value="(\w+)" checked/g)];
    expect(ticked.map(([, name, value]) => [name, value])).toEqual([
      ["labels", `${label.body.id}`],
      ["assignees", "ada"],
      ["project_ids", `${project.id}`],
    ]);
    const fields = { project_ids: `${project.id}`, assignee_ids: `${ada.user.id}`, redirect_after_creation: "project" };
    expect(leadsTo(await browser.post("/ada/engine/issues/new", { title: "Planned", ...fields }))).toEqual([
      303,
      board,
    ]);
    const [made] = (await api<{ id: number; assignee: { login: string } }[]>("GET", "/repos/ada/engine/issues", ada))
      .body;
    expect([cards("Backlog"), made?.assignee.login]).toEqual([[made?.id as number], "ada"]);
    const theirs = await stranger.post("/ada/engine/issues/new", { title: "Not planned", ...fields });
    expect(theirs.headers.get("location")).toMatch(/^\/ada\/engine\/issues\/\d+$/);
    expect(cards("Backlog")).toHaveLength(1);
    const refused = await browser.post("/ada/engine/issues/new", { title: "Kept", project_ids: "99999" });
    expect([refused.status, refused.text.includes('value="Kept"')]).toEqual([422, true]);
    server.services.projects.delete(newest());
  });

  test("of accounts are for their owners to change, and show to others what these may read", async () => {
    expect(leadsTo(await browser.post("/ada/-/projects/new", { title: "All of mine", template_type: "1" }))).toEqual([
      303,
      "/ada/-/projects",
    ]);
    const { project } = newest(server.services.projects.homeOf(asAccount(ada.user), ada.user));
    const board = `/ada/-/projects/${project.id}`;
    aRepo(server, ada.user, { name: "secret", isPrivate: true });
    const hidden = await api<{ number: number }>("POST", "/repos/ada/secret/issues", ada, { title: "nobody knows" });
    const open = await anIssue("everyone knows");
    await browser.post(`${board}/cards/add`, { item: `secret#${hidden.body.number}` });
    await browser.post(`${board}/cards/add`, { item: `ada/engine#${open.number}` });
    expect((await browser.get(board)).text).toContain("nobody knows");
    const theirs = await stranger.get(board);
    expect(theirs.text).toContain("everyone knows");
    expect(theirs.text).not.toContain("nobody knows");
    for (const path of ["", "/edit", "/delete", "/close"])
      expect((await stranger.post(`${board}${path === "" ? "/cards" : path}`, {})).status).toBe(404);
    expect((await stranger.get("/ada/-/projects/new")).status).toBe(404);
    expect((await stranger.get(`/bob/-/projects/${project.id}`)).status).toBe(404);
    expect((await stranger.get("/ada?tab=projects")).text).toContain("All of mine");
    expect((await browser.get("/acme/-/projects")).status).toBe(200);
  });

  test("are closed, opened and deleted, and hidden with their unit", async () => {
    const board = `${base}/${newest().project.id}`;
    await browser.post(`${board}/close`, {});
    expect((await browser.get(base)).text).not.toContain(">Road<");
    expect((await browser.get(`${base}?state=closed`)).text).toContain("Road");
    await browser.post(`${board}/open`, {});
    expect((await stranger.get(board)).status).toBe(200);
    await api("PATCH", "/repos/ada/engine", ada, { has_projects: false });
    expect((await stranger.get(board)).status).toBe(404);
    expect((await stranger.get("/ada/engine")).text).not.toContain('href="/ada/engine/projects"');
    await api("PATCH", "/repos/ada/engine", ada, { has_projects: true });
    expect(leadsTo(await browser.post(`${board}/delete`, {}))).toEqual([303, base]);
    expect((await browser.get(board)).status).toBe(404);
  });
});

describe("time", () => {
  test("is booked and taken back, and estimated by forms", async () => {
    const { number } = await anIssue("takes long");
    const at = `/ada/engine/issues/${number}`;
    const times = async () =>
      (await api<{ id: number; time: number }[]>("GET", `/repos/ada/engine/issues/${number}/times`, ada)).body;
    expect(leadsTo(await browser.post(`${at}/times/add`, { hours: "1", minutes: "30" }))).toEqual([303, at]);
    expect((await browser.post(`${at}/times/add`, { hours: "", minutes: "x" })).headers.get("set-cookie")).toContain(
      "flash",
    );
    const running = async (): Promise<unknown> => JSON.parse((await browser.get("/user/stopwatches")).text);
    expect(await running()).toEqual([]);
    await browser.post(`${at}/times/stopwatch/start`, {});
    expect(await running()).toMatchObject([{ issue_index: number, repo_name: "engine", repo_owner_name: "ada" }]);
    await browser.post(`${at}/times/stopwatch/stop`, {});
    const [first] = await times();
    expect(first?.time).toBe(5400);
    expect(await times()).toHaveLength(2);
    await browser.post(`${at}/times/${first?.id}/delete`, {});
    expect(await times()).toHaveLength(1);
    await browser.post(`${at}/time_estimate`, { time_estimate: "2h 30m" });
    expect(
      (await api<{ time_estimate: number }>("GET", `/repos/ada/engine/issues/${number}`, ada)).body.time_estimate,
    ).toBe(9000);
    await stranger.post(`${at}/time_estimate`, { time_estimate: "" });
    expect(
      (await api<{ time_estimate: number }>("GET", `/repos/ada/engine/issues/${number}`, ada)).body.time_estimate,
    ).toBe(9000);
  });
});

describe("templates", () => {
  test("are chosen from a page; without any it leads on", async () => {
    const files = {
      ".gitea/ISSUE_TEMPLATE/bug.md": "---\nname: Bug report\nabout: Something broke\n---\n",
      ".gitea/ISSUE_TEMPLATE/bad.yaml": "name: Bad\nabout: b\nbody: [{type: slider}]",
      ".gitea/ISSUE_TEMPLATE/config.yaml":
        "blank_issues_enabled: false\ncontact_links: [{name: Chat, url: 'https://chat.example/', about: Talk}]",
    };
    aRepo(server, ada.user, { name: "asked", files });
    const page = await browser.get("/ada/asked/issues/new/choose?milestone=3");
    expect(page.text).toContain("/ada/asked/issues/new?milestone=3&amp;template=.gitea%2FISSUE_TEMPLATE%2Fbug.md");
    expect(page.text).toContain('href="https://chat.example/"');
    expect(wordsOf(page.text)).not.toContain("Blank issue");
    expect(wordsOf(page.text)).toContain("body[0](slider): unknown type");
    expect(wordsOf((await stranger.get("/ada/asked/issues/new/choose")).text)).not.toContain("slider");
    expect(leadsTo(await browser.get("/ada/engine/issues/new/choose?title=x"))).toEqual([
      303,
      "/ada/engine/issues/new?title=x",
    ]);
  });
});
