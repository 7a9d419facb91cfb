import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RepoFacts } from "../../src/access/decide.ts";
import { atLeast, type Level, type Unit, units, type Visibility } from "../../src/access/levels.ts";
import { anonymous, asAccount, deployKey, jobToken, operator, type Principal } from "../../src/access/principal.ts";
import { AccessControl } from "../../src/access/service.ts";
import type { User } from "../../src/access/user.ts";
import { Database } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { ghost } from "../../src/identity/system-users.ts";
import { collaboratorGrants } from "../../src/repos/collaborators/grants.ts";
import { newSeed, random } from "../random.ts";

/** Lists are filtered by SQL, single things by `decide`: here both judge the same random world. */

const seed = newSeed();
const next = random(seed);
const below = (limit: number) => Math.floor(next() * limit);
function pick<T>(items: readonly T[]): T {
  const item = items[below(items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}
const dir = mkdtempSync(join(tmpdir(), "hearth-access-"));
const db = new Database(join(dir, "hearth.db"));
migrate(db, () => {});
afterAll(() => {
  db.close();
  rmSync(dir, { recursive: true, force: true });
});

const PEOPLE = 12;
const REPOS = 60;
const visibilities: readonly Visibility[] = ["public", "limited", "private"];
const granted: readonly Exclude<Level, "none" | "owner">[] = ["read", "write", "admin"];

// As teams will have it: a level for each unit.
db.execute(`CREATE TABLE team_units (repo_id INTEGER, user_id INTEGER, unit TEXT, level TEXT);
  CREATE TABLE members (account_id INTEGER, user_id INTEGER);`);

const people: User[] = [];
for (let id = 1; id <= PEOPLE; id++) {
  const visibility = pick(visibilities);
  const isRestricted = below(4) === 0;
  const isAdmin = id === 1;
  db.query(
    `INSERT INTO users (id, login, lower_login, email, is_admin, is_restricted, visibility, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0)`,
  ).run(id, `u${id}`, `u${id}`, `u${id}@example.org`, isAdmin ? 1 : 0, isRestricted ? 1 : 0, visibility);
  people.push({ ...ghost, id, login: `u${id}`, kind: "individual", isAdmin, isRestricted, visibility });
}

const repos: RepoFacts[] = [];
for (let id = 1; id <= REPOS; id++) {
  const owner = pick(people);
  const off = units.filter(() => below(4) === 0);
  const isPrivate = below(2) === 0;
  db.query("INSERT INTO repository_storage (id, state, changed_at) VALUES (?, 'live', 0)").run(id);
  db.query(
    `INSERT INTO repositories (id, owner_id, name, lower_name, is_private, settings, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, 0, 0)`,
  ).run(id, owner.id, `r${id}`, `r${id}`, isPrivate ? 1 : 0, JSON.stringify(off.length > 0 ? { off } : {}));
  repos.push({
    id,
    ownerId: owner.id,
    ownerVisibility: owner.visibility,
    isPrivate,
    units: new Set(units.filter((unit) => !off.includes(unit))),
  });
  for (const person of people) {
    if (below(6) === 0) db.query("INSERT INTO collaborators VALUES (?, ?, ?, 0)").run(id, person.id, pick(granted));
    while (below(5) === 0)
      db.query("INSERT INTO team_units VALUES (?, ?, ?, ?)").run(id, person.id, pick(units), pick(granted));
  }
}
for (const account of people)
  for (const person of people)
    if (below(8) === 0) db.query("INSERT INTO members VALUES (?, ?)").run(account.id, person.id);

const all = Object.fromEntries(["repository"].map((category) => [category, "write" as const]));
const principals: [name: string, principal: Principal][] = [
  ["anonymous", anonymous],
  ["operator", operator],
  ["deploy key", deployKey(3, "write")],
  ["reading deploy key", deployKey(4, "read")],
  ["job", jobToken({ repoId: 5, units: { code: "write", issues: "read" } })],
  ["job without rights", jobToken({ repoId: 6, units: {} })],
  ...people.flatMap((user): [string, Principal][] => [
    [user.login, asAccount(user)],
    [`${user.login}, public only`, { ...asAccount(user), scope: { categories: all, publicOnly: true } }],
  ]),
];

const questions: { unit: Unit | undefined; level: Exclude<Level, "none"> }[] = [undefined, ...units].flatMap((unit) =>
  (["read", "write", "admin", "owner"] as const).map((level) => ({ unit, level })),
);

for (const requireSignIn of [false, true]) {
  const access = new AccessControl(db, { requireSignIn });
  access.addGrants(collaboratorGrants);
  access.addGrants({
    from: "team_units",
    where: "team_units.repo_id = repositories.id AND team_units.user_id = $me",
    unit: "team_units.unit",
    level: "team_units.level",
  });
  access.addMembers({
    from: "members",
    where: (account) => `members.account_id = ${account} AND members.user_id = $me`,
  });
  const site = requireSignIn ? "closed site" : "open site";

  test(`${site}: lists hold exactly the repositories that decide lets through (seed ${seed})`, () => {
    let allowed = 0;
    for (const [name, principal] of principals) {
      const decisions = access.onEach(principal, repos);
      for (const { unit, level } of questions) {
        const listed = db
          .query<{ id: number }>(
            `SELECT repositories.id FROM repositories JOIN users AS owners ON owners.id = repositories.owner_id
             WHERE ${access.repoCondition(unit ? { unit, level } : { level })} ORDER BY repositories.id`,
          )
          .all(access.params(principal))
          .map(({ id }) => id);
        const decided = repos
          .filter(({ id }) => {
            const decision = decisions.get(id);
            return decision !== undefined && atLeast(unit ? decision.on(unit) : decision.level, level);
          })
          .map(({ id }) => id);
        expect([name, unit, level, listed]).toEqual([name, unit, level, decided]);
        allowed += decided.length;
      }
      // One at a time is the same as many at once.
      for (const repo of repos) expect(access.on(principal, repo).level).toBe(decisions.get(repo.id)?.level ?? "none");
    }
    expect(allowed).toBeGreaterThan(1000);
  });

  test(`${site}: a list of several units is each unit's own (seed ${seed})`, () => {
    for (const [name, principal] of principals) {
      const listed = db
        .query<{ id: number; unit: string }>(
          `SELECT repositories.id, asked.value AS unit FROM repositories JOIN users AS owners ON owners.id = repositories.owner_id
             JOIN json_each($units) AS asked WHERE ${access.repoConditionByUnit("asked.value")} ORDER BY unit, repositories.id`,
        )
        .all({ ...access.params(principal), units: JSON.stringify(["", ...units, "unknown"]) });
      const decisions = access.onEach(principal, repos);
      const decided = ["", ...[...units].sort()].flatMap((unit) =>
        repos
          .filter(({ id }) => {
            const decision = decisions.get(id);
            return decision && (unit === "" ? decision.level : decision.on(unit as Unit)) !== "none";
          })
          .map(({ id }) => ({ id, unit })),
      );
      expect([name, listed]).toEqual([name, decided]);
    }
  });

  test(`${site}: lists hold exactly the accounts that are seen (seed ${seed})`, () => {
    for (const [name, principal] of principals) {
      const listed = db
        .query<{ id: number }>(`SELECT id FROM users WHERE ${access.accountCondition("users")} ORDER BY id`)
        .all(access.params(principal))
        .map(({ id }) => id);
      const seen = people.filter((person) => access.sees(principal, person)).map(({ id }) => id);
      expect([name, listed]).toEqual([name, seen]);
    }
  });
}
