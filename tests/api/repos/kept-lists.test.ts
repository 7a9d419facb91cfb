import { afterAll, beforeAll, expect, test } from "bun:test";
import { anonymous, asAccount, type Principal } from "../../../src/access/principal.ts";
import type { User } from "../../../src/access/user.ts";
import type { Paging } from "../../../src/kernel/paging.ts";
import type { SearchRequest } from "../../../src/repos/search/service.ts";
import { anOrganization, aRepo, aServer, aTeam, aUser, type TestServer } from "../../builders.ts";
import { newSeed, random } from "../../random.ts";

/**
 * Lists of repositories are remembered and take in what changes. After every change of a random story each of them must be
 * what it is when it is read anew, as everything is in a transaction.
 */

let server: TestServer;
const people: User[] = [];
const owners: User[] = [];
beforeAll(async () => {
  server = await aServer();
  for (const login of ["ada", "bob", "cay"]) people.push((await aUser(server, { login })).user);
  const [ada = people[0] as User, bob] = people;
  const guild = anOrganization(server, ada, { login: "guild", visibility: "private" });
  aTeam(server, guild, { members: bob ? [bob] : [], includesAll: true });
  owners.push(...people, guild);
  // More than are looked at one by one.
  for (let at = 0; at < 320; at++)
    aRepo(server, owners[at % 4] as User, { name: `tool${at}`, isPrivate: at % 3 === 0 });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const requests: readonly SearchRequest[] = [
  {},
  { text: "tool" },
  { text: "tool", isPrivate: true },
  { text: "lamp,bob/tool" },
  { text: "lamp", sort: "alpha", order: "desc" },
  { text: "topic1", topicOnly: true },
  { text: "word", inDescription: true },
  { sort: "alpha" },
  { sort: "updated", order: "desc" },
  { sort: "stars", order: "desc" },
  { language: "go", sort: "id" },
  { isArchived: true },
  { isTemplate: false, mode: "source" },
  { around: 2, exclusive: true },
  { around: 3, mode: "collaborative" },
  { firstOwner: 3 },
  { firstOwner: 4, text: "tool", sort: "id" },
  { filters: { starredBy: 2 } },
];

/** All that someone is shown of it, in pages. */
function shown(
  principal: Principal,
  asked: (paging: Paging) => { items: readonly { repo: { id: number } }[]; total: number },
) {
  const pages = [1, 2, 40].map((page) => asked({ page, limit: 9, offset: (page - 1) * 9 }));
  return {
    who: principal.user?.login,
    total: pages[0]?.total,
    ids: pages.map(({ items }) => items.map(({ repo }) => repo.id)),
  };
}

function everything() {
  const { repoSearch } = server.services;
  return [anonymous, ...people.map((user) => asAccount(user))].flatMap((principal) => [
    ...requests.map((request) => ({
      request,
      ...shown(principal, (paging) => repoSearch.search(principal, request, paging)),
      languages: repoSearch.languagesOf(principal, request),
    })),
    ...owners.map((owner) => shown(principal, (paging) => repoSearch.ownedBy(principal, owner, paging))),
    ...people.map((user) => shown(principal, (paging) => repoSearch.ownAndShared(principal, user, paging))),
    ...people.map((user) => shown(principal, (paging) => repoSearch.ownAndShared(principal, user, paging, "tool1"))),
  ]);
}

const STEPS = 24;

test("what is remembered is what would be read, whatever changed", () => {
  const seed = newSeed();
  const next = random(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  const { db } = server.core;
  const ids = () => db.query<{ id: number }>("SELECT id FROM repositories ORDER BY id").all();
  const some = (sql: string, values: Record<string, string | number>) => () => {
    db.query(sql).run({ id: pick(ids()).id, user: pick(people).id, ...values });
  };
  const changes: Record<string, () => void> = {
    made: () => void aRepo(server, pick(owners), { name: `${pick(["lamp", "tool", "A", "zz"])}-${below(1e9)}` }),
    gone: some("DELETE FROM repositories WHERE id = $id", {}),
    renamed: () =>
      some("UPDATE repositories SET name = $name, lower_name = $name WHERE id = $id", {
        name: `${pick(["a", "lamp", "tool1"])}${below(1e9)}`,
      })(),
    hidden: some("UPDATE repositories SET is_private = 1 - is_private WHERE id = $id", {}),
    archived: some("UPDATE repositories SET is_archived = 1 - is_archived WHERE id = $id", {}),
    template: some("UPDATE repositories SET is_template = 1 - is_template WHERE id = $id", {}),
    binned: some("UPDATE repositories SET binned_at = 5 WHERE id = $id", {}),
    moved: some("UPDATE OR IGNORE repositories SET owner_id = $user WHERE id = $id", {}),
    described: some("UPDATE repositories SET description = 'a word ' || $user WHERE id = $id", {}),
    spoken: () =>
      some("UPDATE repositories SET primary_language = $language WHERE id = $id", {
        language: pick(["Go", "C", "", "Zig"]),
      })(),
    pushed: () => some("UPDATE repositories SET updated_at = $at WHERE id = $id", { at: below(1e9) })(),
    starred: some("INSERT OR IGNORE INTO stars (repo_id, user_id, created_at) VALUES ($id, $user, 1)", {}),
    unstarred: some("DELETE FROM stars WHERE repo_id = (SELECT max(repo_id) FROM stars)", {}),
    shared: () =>
      some(
        "INSERT OR REPLACE INTO collaborators (repo_id, user_id, level, created_at) VALUES ($id, $user, $level, 1)",
        { level: pick(["read", "write"]) },
      )(),
    unshared: some("DELETE FROM collaborators WHERE user_id = $user", {}),
    tagged: () => {
      db.query("INSERT OR IGNORE INTO topics (name, created_at, updated_at) VALUES ('topic1', 1, 1)").run();
      some(
        "INSERT OR IGNORE INTO repository_topics (repo_id, topic_id) SELECT $id, id FROM topics WHERE name = 'topic1'",
        {},
      )();
    },
    untagged: some("DELETE FROM repository_topics", {}),
    shown: () =>
      some("UPDATE users SET visibility = $visibility WHERE id = $user", {
        visibility: pick(["public", "limited", "private"]),
      })(),
    many: some("UPDATE repositories SET is_private = 1 - is_private WHERE id % 2 = 0", {}),
  };
  everything();
  for (let at = 0; at < STEPS; at++) {
    const names = Array.from({ length: 1 + below(3) }, () => pick(Object.keys(changes)));
    const all = () => {
      for (const name of names) changes[name]?.();
    };
    if (below(2) === 0) all();
    else db.transaction(all);
    const kept = everything();
    const read = db.transaction(everything);
    expect([seed, at, names, kept]).toEqual([seed, at, names, read]);
  }
});
