import { afterAll, beforeAll, expect, test } from "bun:test";
import { aRepo, aServer, aUser, call, type TestServer, type TestUser } from "../../builders.ts";

/** Where a text finds more than is looked at one by one, remembered lists are compared: they must find the same. */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
const REPOS = 330;
const PEOPLE = 330;

interface Item {
  readonly name: string;
  readonly login: string;
  readonly owner: { readonly login: string };
}

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob-engineer" });
  const { db } = server.core;
  db.transaction(() => {
    // Those of bob come last by name; every third is private, every fifth has the word in its description only.
    for (let at = 0; at < REPOS; at++) {
      const owner = at % 2 === 0 ? ada : bob;
      const name = `${owner === ada ? "a" : "z"}-${at % 5 === 0 ? "thing" : "engine"}${at}`;
      aRepo(server, owner.user, { name, isPrivate: at % 3 === 0, description: "an engine" });
    }
    for (let at = 0; at < PEOPLE; at++)
      db.query(
        `INSERT INTO users (login, lower_login, email, visibility, created_at, updated_at) VALUES ($login, $login, $login || '@example.org',
           $visibility, $at, $at)`,
      ).run({ login: `person${at}`, visibility: at % 3 === 0 ? "private" : "public", at });
  });
});
afterAll(() => server.close());

async function all(path: string, who?: TestUser): Promise<{ items: Item[]; total: number }> {
  const items: Item[] = [];
  for (let page = 1; ; page++) {
    const answer = await call<{ data: Item[] }>(server, "GET", `/api/v1/${path}&limit=50&page=${page}`, {
      token: who?.token,
    });
    expect(answer.status).toBe(200);
    items.push(...answer.body.data);
    if (answer.body.data.length === 0) return { items, total: Number(answer.headers.get("x-total-count")) };
  }
}

/** What the text must find: looked up in all that the account may see. */
async function wanted(who: TestUser | undefined, matches: (item: Item) => boolean): Promise<string[]> {
  return (await all("repos/search?", who)).items.filter(matches).map(({ name }) => name);
}

test("a search that hundreds answer finds what each may see, in its order, and counts it", async () => {
  for (const who of [undefined, ada, bob]) {
    const found = await all("repos/search?q=engine", who);
    expect(found.items.map(({ name }) => name)).toEqual(await wanted(who, ({ name }) => name.includes("engine")));
    expect(found.total).toBe(found.items.length);
    const described = await all("repos/search?q=engine&includeDesc=true", who);
    expect(described.total).toBe((await all("repos/search?", who)).total);
    const newest = await all("repos/search?q=engine&sort=id&order=desc", who);
    const byId = (await all("repos/search?sort=id&order=desc", who)).items.map(({ name }) => name);
    expect(newest.items.map(({ name }) => name)).toEqual(byId.filter((name) => name.includes("engine")));
    expect(newest.total).toBe(found.total);
  }
});

test("those of the owner that was written come before others, also among hundreds", async () => {
  for (const order of ["", "&sort=id"]) {
    const { items, total } = await all(`repos/search?q=bob-engineer/engine,engine${order}`, bob);
    const owners = items.map(({ owner }) => owner.login);
    expect(owners).toEqual(owners.toSorted().toReversed());
    expect(total).toBe((await all("repos/search?q=engine", bob)).total);
  }
});

test("a filter besides the words holds for all of them", async () => {
  const { items, total } = await all("repos/search?q=engine&is_private=true", ada);
  expect(items.map(({ name }) => name)).toEqual(
    (await all("repos/search?is_private=true", ada)).items
      .map(({ name }) => name)
      .filter((name) => name.includes("engine")),
  );
  expect(total).toBe(items.length);
});

test("a change among hundreds is known at once", async () => {
  const before = await all("repos/search?q=engine", ada);
  const [first] = before.items;
  await call(server, "PATCH", `/api/v1/repos/ada/${first?.name}`, { token: ada.token, body: { name: "sum" } });
  const after = await all("repos/search?q=engine", ada);
  expect([after.total, after.items.some(({ name }) => name === first?.name)]).toEqual([before.total - 1, false]);
});

test("hundreds of people are found by whom they show themselves to, by name, and counted", async () => {
  const { items, total } = await all("users/search?q=person", ada);
  const shown = Array.from({ length: PEOPLE }, (_, at) => `person${at}`).filter((_, at) => at % 3 !== 0);
  expect(items.map(({ login }) => login)).toEqual(shown.sort());
  expect(total).toBe(shown.length);
  const { db } = server.core;
  db.query(
    "INSERT INTO follows (follower_id, followed_id, created_at) SELECT id, ?, 1 FROM users WHERE login = 'person0'",
  ).run(ada.user.id);
  expect((await all("users/search?q=person", ada)).items[0]?.login).toBe("person0");
  expect((await all("users/search?q=person", bob)).total).toBe(shown.length);
  db.query("UPDATE users SET visibility = 'public' WHERE login = 'person3'").run();
  expect((await all("users/search?q=person", bob)).total).toBe(shown.length + 1);
});
