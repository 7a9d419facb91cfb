import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { anonymous, asAccount, type Principal } from "../../../src/access/principal.ts";
import type { User } from "../../../src/access/user.ts";
import type { ProjectHome, ProjectTemplate, SeenProject } from "../../../src/projects/types.ts";
import { anApi, anOrganization, aRepo, aServer, aTeam, aUser, type TestServer, type TestUser } from "../../builders.ts";

/** Boards, and what the API says of them (contract issues.md 21). */

let server: TestServer;
let ada: TestUser;
let wendy: TestUser;
let bob: TestUser;
let acme: User;

beforeAll(async () => {
  server = await aServer();
  const user = (login: string) => aUser(server, { login });
  [ada, wendy, bob] = [await user("ada"), await user("wendy"), await user("bob")];
  acme = anOrganization(server, ada.user, { login: "acme" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const api = anApi(() => server);

interface IssueBody {
  readonly id: number;
  readonly number: number;
  readonly projects: {
    readonly id: number;
    readonly title: string;
    readonly repo_id?: number;
    readonly owner_id?: number;
  }[];
}

function aProject(owner: User = ada.user, request: Parameters<typeof aRepo>[2] = {}) {
  const repo = aRepo(server, owner, { creator: ada.user, ...request });
  const seenBy = (who: TestUser) => server.services.repos.see(asAccount(who.user), owner.login, repo.name, () => "");
  server.services.collaborators.put(seenBy(ada), wendy.user, "write");
  const path = `/repos/${owner.login}/${repo.name}`;
  const anIssue = async (fields: Record<string, unknown> = {}, who = ada) =>
    (await api<IssueBody>("POST", `${path}/issues`, who, { title: "one", ...fields })).body;
  return { repo, path, seenBy, anIssue };
}

const aBoard = (home: ProjectHome, template: ProjectTemplate = "none", title = "Plan"): SeenProject => ({
  home,
  project: server.services.projects.create(home, { title, template }),
});
const homeOf = (owner: User, principal: Principal) => server.services.projects.homeOf(principal, owner);
const columnTitles = (board: SeenProject) => server.services.boards.columns(board).map(({ title }) => title);
const columnNamed = (board: SeenProject, title: string) => {
  const found = server.services.boards.columns(board).find((column) => column.title === title);
  if (!found) throw new Error(`no column ${title}`);
  return found;
};
const cards = (board: SeenProject, title: string, more: { limit?: number; filter?: object } = {}) =>
  server.services.boards
    .cards(board, columnNamed(board, title), { labelIds: [], ...more.filter }, { limit: more.limit ?? 50, offset: 0 })
    .items.map(({ issue }) => issue.id);
const entries = (issueId: number, kind: string) =>
  server.core.db
    .query<{ was: number | null; is: number }>(
      "SELECT old_project_id AS was, project_id AS 'is' FROM timeline WHERE issue_id = ? AND kind = ? ORDER BY id",
    )
    .all(issueId, kind);

describe("projects of an issue", () => {
  test("are given when it is made and changed, and stand in its resource and timeline", async () => {
    const { path, seenBy, anIssue } = aProject();
    const own = aBoard(seenBy(ada), "kanban");
    const owners = aBoard(homeOf(ada.user, asAccount(ada.user)), "triage", "All of mine");
    const issue = await anIssue({ projects: [owners.project.id, own.project.id] });
    expect(issue.projects.map(({ id }) => id)).toEqual([own.project.id, owners.project.id]);
    expect(issue.projects[0]).toMatchObject({ title: "Plan", repo_id: own.project.repoId as number });
    expect(issue.projects[0]).not.toHaveProperty("owner_id");
    expect(cards(own, "Backlog")).toEqual([issue.id]);
    const edited = await api<IssueBody>("PATCH", `${path}/issues/${issue.number}`, wendy, {
      projects: [own.project.id],
    });
    expect([edited.status, edited.body.projects.map(({ id }) => id)]).toEqual([201, [own.project.id]]);
    const cleared = await api<IssueBody>("PATCH", `${path}/issues/${issue.number}`, wendy, { projects: [] });
    expect(cleared.body.projects).toEqual([]);
    expect(entries(issue.id, "project")).toEqual([
      { was: 0, is: owners.project.id },
      { was: 0, is: own.project.id },
      { was: owners.project.id, is: 0 },
      { was: own.project.id, is: 0 },
    ]);
  });

  test("must be the repository's or its owner's, and readable; else nothing changes", async () => {
    const [here, there] = [aProject(), aProject()];
    const foreign = aBoard(there.seenBy(ada)).project.id;
    const bobs = aBoard(homeOf(bob.user, asAccount(bob.user))).project.id;
    const own = aBoard(here.seenBy(ada)).project.id;
    const issue = await here.anIssue({ projects: [own] });
    for (const id of [foreign, bobs, 999_999, 0, -1]) {
      const refused = await api("PATCH", `${here.path}/issues/${issue.number}`, ada, {
        title: "changed",
        projects: [id],
      });
      expect([refused.status, refused.body["message"]]).toEqual([400, `project ${id} not found`]);
      expect((await api("POST", `${here.path}/issues`, ada, { title: "x", projects: [id] })).status).toBe(400);
    }
    const after = await api<IssueBody & { title: string }>("GET", `${here.path}/issues/${issue.number}`);
    expect([after.body.title, after.body.projects.map(({ id }) => id)]).toEqual(["one", [own]]);
    expect((await api("PATCH", `${here.path}/issues/${issue.number}`, ada, { projects: "x" })).status).toBe(422);
  });

  test("are left out without write access, and hidden where the unit may not be read", async () => {
    const { path, seenBy, anIssue } = aProject();
    const board = aBoard(seenBy(ada));
    expect((await anIssue({ projects: [board.project.id] }, bob)).projects).toEqual([]);
    const { number, projects } = await anIssue({ projects: [board.project.id] });
    expect(projects).toHaveLength(1);
    await api("PATCH", path, ada, { has_projects: false });
    expect((await api<IssueBody>("GET", `${path}/issues/${number}`, bob)).body.projects).toEqual([]);
  });

  test("follow what the repository says of boards of its owner", async () => {
    const { path, anIssue } = aProject();
    const owners = aBoard(homeOf(ada.user, asAccount(ada.user))).project.id;
    await api("PATCH", path, ada, { has_projects: true, projects_mode: "repo" });
    expect((await api("POST", `${path}/issues`, ada, { title: "x", projects: [owners] })).status).toBe(400);
    await api("PATCH", path, ada, { has_projects: true, projects_mode: "owner" });
    expect((await anIssue({ projects: [owners] })).projects).toHaveLength(1);
  });

  test("leave with the repository for another owner's", async () => {
    const { repo, anIssue, seenBy } = aProject();
    const owners = aBoard(homeOf(ada.user, asAccount(ada.user)));
    const own = aBoard(seenBy(ada), "none", "Own");
    const { number } = await anIssue({ projects: [owners.project.id, own.project.id] });
    server.services.repos.changeOwner(asAccount(ada.user), repo, acme);
    const moved = await api<IssueBody>("GET", `/repos/acme/${repo.name}/issues/${number}`, ada);
    expect(moved.body.projects.map(({ title }) => title)).toEqual(["Own"]);
    expect(server.services.projects.byIds([owners.project.id]).get(owners.project.id)?.openItems).toBe(0);
  });
});

describe("boards", () => {
  test("begin with the columns of their template, and count what stands on them", async () => {
    const { seenBy, anIssue, path } = aProject();
    const home = seenBy(ada);
    expect(columnTitles(aBoard(home, "kanban"))).toEqual(["Backlog", "To Do", "In Progress", "Done"]);
    expect(columnTitles(aBoard(home, "triage"))).toEqual([
      "Backlog",
      "Needs Triage",
      "High Priority",
      "Low Priority",
      "Closed",
    ]);
    const board = aBoard(home);
    expect(columnTitles(board)).toEqual([]);
    const [one, two] = [
      await anIssue({ projects: [board.project.id] }),
      await anIssue({ projects: [board.project.id] }),
    ];
    expect(columnTitles(board)).toEqual(["Uncategorized"]);
    const counts = () => {
      const found = server.services.projects.get(home, board.project.id).project;
      return [found.openItems, found.closedItems, columnNamed(board, "Uncategorized").cards];
    };
    expect(counts()).toEqual([2, 0, 2]);
    await api("PATCH", `${path}/issues/${one.number}`, ada, { state: "closed" });
    expect(counts()).toEqual([1, 1, 2]);
    await api("DELETE", `${path}/issues/${one.number}`, ada);
    expect(counts()).toEqual([1, 0, 1]);
    await api("PATCH", `${path}/issues/${two.number}`, ada, { projects: [] });
    expect(counts()).toEqual([0, 0, 0]);
  });

  test("keep exactly one default column, at most twenty, and lose no card with a column", async () => {
    const { boards } = server.services;
    const { seenBy, anIssue } = aProject();
    const board = aBoard(seenBy(ada), "kanban");
    const ids = [await anIssue({ projects: [board.project.id] }), await anIssue({ projects: [board.project.id] })].map(
      ({ id }) => id,
    );
    const [todo, done] = [columnNamed(board, "To Do"), columnNamed(board, "Done")];
    boards.moveCards(
      board,
      todo.id,
      ids.map((issueId, sorting) => ({ issueId, sorting })),
    );
    boards.setDefaultColumn(board, done.id);
    expect(() => boards.deleteColumn(board, done.id)).toThrow("project.default-column");
    boards.deleteColumn(board, todo.id);
    expect(cards(board, "Done")).toEqual(ids);
    expect(columnNamed(board, "Done").cards).toBe(2);
    expect(
      boards
        .columns(board)
        .filter(({ isDefault }) => isDefault)
        .map(({ title }) => title),
    ).toEqual(["Done"]);
    for (let at = 3; at < 20; at++) boards.addColumn(board, { title: `c${at}`, color: "#00aabb" });
    expect(() => boards.addColumn(board, { title: "one more" })).toThrow("project.too-many-columns");
    for (const edit of [{ title: "" }, { title: "x".repeat(101) }, { title: "x", color: "red" }])
      expect(() => boards.editColumn(board, done.id, edit)).toThrow();
  });

  test("move cards all or none, and tell of another column only", async () => {
    const { boards } = server.services;
    const [here, there] = [aProject(), aProject()];
    const board = aBoard(here.seenBy(ada), "kanban");
    const other = aBoard(here.seenBy(ada), "kanban");
    const [a, b] = [
      await here.anIssue({ projects: [board.project.id] }),
      await here.anIssue({ projects: [board.project.id] }),
    ];
    const foreign = await there.anIssue();
    const [backlog, done] = [columnNamed(board, "Backlog"), columnNamed(board, "Done")];
    for (const places of [
      [
        { issueId: a.id, sorting: 0 },
        { issueId: foreign.id, sorting: 1 },
      ],
      [
        { issueId: a.id, sorting: 0 },
        { issueId: 999_999, sorting: 1 },
      ],
    ])
      expect(() => boards.moveCards(board, done.id, places)).toThrow("project.no-such-card");
    expect(() => boards.moveCards(board, columnNamed(other, "Done").id, [{ issueId: a.id, sorting: 0 }])).toThrow(
      "project.no-such-column",
    );
    expect(cards(board, "Backlog")).toEqual([a.id, b.id]);
    boards.moveCards(board, backlog.id, [
      { issueId: b.id, sorting: 0 },
      { issueId: a.id, sorting: 1 },
    ]);
    expect(cards(board, "Backlog")).toEqual([b.id, a.id]);
    expect(entries(a.id, "project_board")).toEqual([]);
    boards.moveCards(board, done.id, [
      { issueId: a.id, sorting: 7 },
      { issueId: a.id, sorting: 0 },
    ]);
    expect([columnNamed(board, "Backlog").cards, columnNamed(board, "Done").cards]).toEqual([1, 1]);
    expect(entries(a.id, "project_board")).toMatchObject([{ is: board.project.id }]);
    const { body } = await api<{ type: string; new_ref: string; project_id: number }[]>(
      "GET",
      `${here.path}/issues/${a.number}/timeline`,
      ada,
    );
    expect(body.at(-1)).toMatchObject({ type: "project_board", new_ref: "", project_id: board.project.id });
  });

  test("put a card between two others as often as one likes", async () => {
    const { boards } = server.services;
    const { seenBy, anIssue } = aProject();
    const board = aBoard(seenBy(ada), "kanban");
    const ids: number[] = [];
    for (let at = 0; at < 4; at++) ids.push((await anIssue({ projects: [board.project.id] })).id);
    const [a = 0, b = 0, c = 0, d = 0] = ids;
    const { id } = columnNamed(board, "Backlog");
    for (let turn = 0; turn < 120; turn++) {
      // Each time into half of what is left between the first and what came before.
      boards.moveCard(board, turn % 2 === 0 ? c : b, id, turn % 2 === 0 ? b : c);
      const order = cards(board, "Backlog");
      expect(order).toEqual(turn % 2 === 0 ? [a, c, b, d] : [a, b, c, d]);
    }
    boards.moveCard(board, d, id, a);
    expect(cards(board, "Backlog")).toEqual([d, a, b, c]);
    boards.moveCard(board, d, id, undefined);
    expect(cards(board, "Backlog")).toEqual([a, b, c, d]);
  });

  test("filter by labels, assignee and milestone, in pages", async () => {
    const { seenBy, anIssue, path } = aProject();
    const board = aBoard(seenBy(ada), "kanban");
    const label = (await api<{ id: number }>("POST", `${path}/labels`, ada, { name: "l", color: "123" })).body.id;
    const milestone = (await api<{ id: number }>("POST", `${path}/milestones`, ada, { title: "m" })).body.id;
    const projects = [board.project.id];
    const plain = await anIssue({ projects });
    const rich = await anIssue({ projects, labels: [label], milestone, assignees: ["wendy"] });
    const filtered = (filter: object) => cards(board, "Backlog", { filter });
    expect(filtered({ labelIds: [label] })).toEqual([rich.id]);
    expect(filtered({ assigneeId: wendy.user.id })).toEqual([rich.id]);
    expect(filtered({ milestoneId: milestone })).toEqual([rich.id]);
    expect(filtered({ milestoneId: -1 })).toEqual([plain.id]);
    const page = server.services.boards.cards(
      board,
      columnNamed(board, "Backlog"),
      { labelIds: [] },
      { limit: 1, offset: 0 },
    );
    expect([page.items.length, page.hasMore]).toEqual([1, true]);
  });

  test("are not given away by the filters of lists to who may not read them", async () => {
    const { repo, path, seenBy, anIssue } = aProject();
    const board = aBoard(seenBy(ada));
    const card = await anIssue({ title: "on the board" });
    await anIssue({ title: "beside it" });
    server.services.boards.insert(board.project.id, card.id);
    const titles = async (who: TestUser, place: "repo" | "everywhere", name: string, isNegated: boolean) => {
      const { itemLists } = server.services;
      const value = name === "project" ? board.project.id : 1;
      const filter = { state: "all", isPull: false, contributed: [{ name, value, isNegated }] } as const;
      const all = { limit: 50, offset: 0 };
      const { items, total } =
        place === "repo"
          ? await itemLists.list(seenBy(who), filter, all)
          : await itemLists.search(asAccount(who.user), { ...filter, ownerId: ada.user.id }, all);
      const found = items.filter(({ issue }) => issue.repoId === repo.id).map(({ issue }) => issue.title);
      if (place === "repo") expect(total).toBe(found.length);
      return found.sort();
    };
    const asks = (["repo", "everywhere"] as const).flatMap((place) =>
      ["project", "anyProject"].map((name) => [place, name] as const),
    );
    for (const [place, name] of asks) {
      expect(await titles(ada, place, name, false)).toEqual(["on the board"]);
      expect(await titles(ada, place, name, true)).toEqual(["beside it"]);
    }
    expect((await api("PATCH", path, ada, { has_projects: false })).status).toBe(200);
    for (const [place, name] of asks) {
      expect(await titles(bob, place, name, false)).toEqual([]);
      expect(await titles(bob, place, name, true)).toEqual(["beside it", "on the board"]);
    }
  });

  test("of an account show each viewer only what they may read", async () => {
    const [open, hidden] = [aProject(), aProject(ada.user, { isPrivate: true })];
    const board = aBoard(homeOf(ada.user, asAccount(ada.user)), "kanban");
    const projects = [board.project.id];
    const [seen, secret] = [await open.anIssue({ projects }), await hidden.anIssue({ projects })];
    const as = (principal: Principal): SeenProject => ({ ...board, home: homeOf(ada.user, principal) });
    expect(cards(as(asAccount(ada.user)), "Backlog")).toEqual([seen.id, secret.id]);
    expect(cards(as(asAccount(bob.user)), "Backlog")).toEqual([seen.id]);
    expect(cards(as(anonymous), "Backlog")).toEqual([seen.id]);
    const done = columnNamed(board, "Done").id;
    expect(() =>
      server.services.boards.moveCards(as(asAccount(bob.user)), done, [{ issueId: seen.id, sorting: 0 }]),
    ).toThrow("project.needs-write");
  });

  test("are for who writes to projects: in a repository by level, of an organization by team", () => {
    const { projects } = server.services;
    const { seenBy } = aProject();
    expect(projects.mayWrite(seenBy(wendy))).toBe(true);
    expect(projects.mayWrite(seenBy(bob))).toBe(false);
    expect(() => projects.create(seenBy(bob), { title: "x", template: "none" })).toThrow("project.needs-write");
    const may = (who: TestUser) => projects.mayWrite(homeOf(acme, asAccount(who.user)));
    expect([may(ada), may(wendy), may(bob)]).toEqual([true, false, false]);
    aTeam(server, acme, { members: [wendy.user], permission: "write", units: ["repo.projects"] });
    aTeam(server, acme, { members: [bob.user], permission: "write", units: ["repo.issues"] });
    expect([may(ada), may(wendy), may(bob)]).toEqual([true, true, false]);
    expect(() => projects.get(seenBy(ada), aBoard(homeOf(acme, asAccount(ada.user))).project.id)).toThrow();
    for (const title of ["", " ", "x".repeat(256), "a\nb"])
      expect(() => projects.create(seenBy(ada), { title, template: "none" })).toThrow();
  });

  test("are read from their indexes, however many cards there are", () => {
    const sql = `SELECT issue_id FROM project_cards INDEXED BY project_cards_by_column
      CROSS JOIN issues ON issues.id = project_cards.issue_id
      WHERE column_id = 1 ORDER BY project_cards.sorting, project_cards.issue_id LIMIT 50`;
    const plan = server.core.db.query<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all();
    expect(plan.map(({ detail }) => detail).join(" ")).not.toContain("TEMP B-TREE");
  });
});
