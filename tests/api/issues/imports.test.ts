import { afterAll, beforeAll, expect, test } from "bun:test";
import { asAccount } from "../../../src/access/principal.ts";
import type { ImportedItem } from "../../../src/issues/imports/service.ts";
import {
  anApi,
  aRepo,
  aServer,
  aUser,
  call,
  type Json,
  settled,
  type TestServer,
  type TestUser,
} from "../../builders.ts";

/** Items that are moved in from another forge keep what they were there. */

let server: TestServer;
let owner: TestUser;
let watcher: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  owner = await aUser(server, { login: "owner" });
  watcher = await aUser(server, { login: "watcher" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const day = (text: string) => Date.parse(`${text}T12:00:00Z`);

const anItem = (number: number, more: Partial<ImportedItem> = {}): ImportedItem => ({
  number,
  isPull: false,
  author: { name: "Élodie <b>", id: 77 },
  title: `From elsewhere ${number}`,
  body: "- [x] packed\n- [ ] unpacked @watcher",
  createdAt: day("2011-02-03"),
  updatedAt: day("2012-03-04"),
  comments: [],
  ...more,
});

async function aPlace() {
  const { id, name } = aRepo(server, owner.user);
  const seen = server.services.repos.seeById(asAccount(owner.user), id);
  if (!seen) throw new Error("the owner sees the repository");
  return { at: `/repos/owner/${name}`, page: `/owner/${name}`, seen };
}

test("numbers, dates, authors, states and comments stay, and the next number comes after them", async () => {
  const { at, page, seen } = await aPlace();
  await api("PUT", `${at}/subscription`, watcher);
  const label = (await api<{ id: number }>("POST", `${at}/labels`, owner, { name: "old", color: "112233" })).body.id;
  const milestoneId = (await api<{ id: number }>("POST", `${at}/milestones`, owner, { title: "then" })).body.id;
  server.services.itemImports.bring(seen, [
    anItem(40, {
      closedAt: day("2012-03-04"),
      labelIds: [label, 999_999],
      milestoneId,
      assigneeIds: [watcher.user.id],
      isLocked: true,
      comments: [
        {
          author: { name: "Zoë", id: 5 },
          body: "Said *there*",
          createdAt: day("2011-02-04"),
          updatedAt: day("2011-02-05"),
        },
        {
          author: { userId: watcher.user.id },
          body: "Mine",
          createdAt: day("2011-02-06"),
          updatedAt: day("2011-02-06"),
        },
      ],
    }),
    anItem(7, { author: { userId: watcher.user.id } }),
  ]);
  expect((await api<Json>("GET", `${at}/issues/40`, owner)).body).toMatchObject({
    number: 40,
    state: "closed",
    original_author: "Élodie <b>",
    original_author_id: 77,
    user: { login: "Ghost" },
    created_at: "2011-02-03T12:00:00Z",
    updated_at: "2012-03-04T12:00:00Z",
    closed_at: "2012-03-04T12:00:00Z",
    comments: 2,
    is_locked: true,
    labels: [{ name: "old" }],
    milestone: { title: "then", closed_issues: 1, open_issues: 0 },
    assignees: [{ login: "watcher" }],
  });
  expect((await api<Json>("GET", `${at}/issues/7`, owner)).body).toMatchObject({
    original_author: "",
    user: { login: "watcher" },
  });
  expect((await api<Json[]>("GET", `${at}/issues/40/comments`, owner)).body).toMatchObject([
    {
      body: "Said *there*",
      original_author: "Zoë",
      created_at: "2011-02-04T12:00:00Z",
      updated_at: "2011-02-05T12:00:00Z",
    },
    { body: "Mine", original_author: "", user: { login: "watcher" } },
  ]);
  const shown = (await call(server, "GET", `${page}/issues/40`)).text;
  for (const part of ["Élodie &lt;b&gt;", "Zoë", "Said <em>there</em>"]) expect(shown).toContain(part);
  expect((await call(server, "GET", `${page}/issues?state=all`)).text).toContain("Élodie &lt;b&gt;");
  const made = await api<{ number: number }>("POST", `${at}/issues`, owner, { title: "After" });
  expect(made.body.number).toBe(41);
  expect((await api<Json>("GET", at, owner)).body).toMatchObject({ open_issues_count: 2 });
  expect((await api<Json[]>("GET", `${at}/issues?q=packed&state=all`, owner)).body).toHaveLength(2);
  await settled(server);
  const heard = await api<{ subject: { title: string } }[]>("GET", "/notifications?all=true", watcher);
  expect(heard.body.map(({ subject }) => subject.title)).toEqual(["After"]);
});

test("all of them or none, by whoever administers, under numbers that are free", async () => {
  const { at, seen } = await aPlace();
  const { itemImports, repos } = server.services;
  const taken = (await api<{ number: number }>("POST", `${at}/issues`, owner, { title: "Here" })).body.number;
  const wrong: readonly (readonly [string, ImportedItem[]])[] = [
    ["issue.number-taken", [anItem(5), anItem(taken)]],
    ["issue.number-taken", [anItem(5), anItem(5)]],
    ["value.not-allowed", [anItem(5), anItem(0)]],
    ["value.not-allowed", [anItem(5), anItem(1e12)]],
    ["value.not-allowed", [anItem(5), anItem(6, { createdAt: Number.NaN })]],
    ["value.required", [anItem(5), anItem(6, { title: " " })]],
    ["issue.unknown-user", [anItem(5), anItem(6, { author: { userId: 999_999 } })]],
    ["issue.unknown-user", [anItem(5), anItem(6, { assigneeIds: [999_999] })]],
    ["issue.import-too-large", Array.from({ length: 501 }, (_, at) => anItem(at + 10))],
  ];
  for (const [code, items] of wrong) {
    let said = "";
    try {
      itemImports.bring(seen, items);
    } catch (error) {
      said = (error as { code: string }).code;
    }
    expect(said).toBe(code);
  }
  const asReader = repos.seeById(asAccount(watcher.user), seen.repo.id);
  expect(() => asReader && itemImports.bring(asReader, [anItem(5)])).toThrow();
  expect((await api<Json[]>("GET", `${at}/issues?state=all`, owner)).body).toHaveLength(1);
  expect(itemImports.bring(seen, [])).toEqual([]);
  expect(itemImports.bring(seen, [anItem(5)])).toHaveLength(1);
});

test("a search that filters leave little of looks at older texts, too", async () => {
  const { at, seen } = await aPlace();
  const closedAt = day("2012-01-01");
  for (const first of [1, 401, 801])
    server.services.itemImports.bring(
      seen,
      Array.from({ length: 400 }, (_, place) => anItem(first + place, first + place <= 2 ? { closedAt } : {})),
    );
  const search = async (query: string) => {
    const { body, headers } = await api<{ number: number }[]>("GET", `${at}/issues?q=elsewhere&${query}`, owner);
    return [headers.get("x-total-count"), body.map(({ number }) => number)];
  };
  expect(await search("state=closed")).toEqual(["2", [2, 1]]);
  expect(await search("limit=2")).toEqual(["1000", [1200, 1199]]);
  expect(await search("limit=2&page=599")).toEqual(["1198", [4, 3]]);
});
