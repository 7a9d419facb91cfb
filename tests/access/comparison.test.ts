import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RepoFacts } from "../../src/access/decide.ts";
import { atLeast, higher, type Level, type Unit, units, type Visibility } from "../../src/access/levels.ts";
import { anonymous, asAccount, deployKey, jobToken, operator, type Principal } from "../../src/access/principal.ts";
import { AccessControl } from "../../src/access/service.ts";
import type { User } from "../../src/access/user.ts";
import { Database } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { ghost } from "../../src/identity/system-users.ts";
import { organizationGrants, organizationMembers } from "../../src/organizations/grants.ts";
import { addMember } from "../../src/organizations/store.ts";
import { addTeamRepo, addToTeam, insertTeam, teamHasRepo, teamsOfMember } from "../../src/organizations/teams/store.ts";
import { teamUnits, type UnitLevels } from "../../src/organizations/types.ts";
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
const ORGANIZATIONS = 4;
const TEAMS = 5;
const REPOS = 60;
const visibilities: readonly Visibility[] = ["public", "limited", "private"];
const granted: readonly Exclude<Level, "none" | "owner">[] = ["read", "write", "admin"];

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

const organizations: User[] = [];
for (let id = PEOPLE + 1; id <= PEOPLE + ORGANIZATIONS; id++) {
  const visibility = pick(visibilities);
  db.query(
    `INSERT INTO users (id, login, lower_login, kind, email, visibility, created_at, updated_at)
     VALUES (?, ?, ?, 'organization', '', ?, 0, 0)`,
  ).run(id, `o${id}`, `o${id}`, visibility);
  db.query("INSERT INTO organizations (user_id) VALUES (?)").run(id);
  organizations.push({ ...ghost, id, login: `o${id}`, kind: "organization", visibility });
}

const repos: RepoFacts[] = [];
for (let id = 1; id <= REPOS; id++) {
  const owner = pick(below(2) === 0 ? people : organizations);
  const off = units.filter(() => below(4) === 0);
  const isPrivate = below(2) === 0;
  const isBinned = below(8) === 0;
  const someOpened = units.filter(() => below(5) === 0).map((unit) => [unit, pick(["anyone", "accounts"] as const)]);
  const opened = below(2) === 0 ? Object.fromEntries(someOpened) : undefined;
  db.query("INSERT INTO repository_storage (id, state, changed_at) VALUES (?, 'live', 0)").run(id);
  db.query(
    `INSERT INTO repositories (id, owner_id, name, lower_name, is_private, binned_at, settings, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0)`,
  ).run(
    id,
    owner.id,
    `r${id}`,
    `r${id}`,
    isPrivate ? 1 : 0,
    isBinned ? 1 : null,
    JSON.stringify({ ...(off.length > 0 ? { off } : {}), ...(opened ? { opened } : {}) }),
  );
  repos.push({
    id,
    ownerId: owner.id,
    ownerVisibility: owner.visibility,
    isPrivate,
    isBinned,
    units: new Set(units.filter((unit) => !off.includes(unit))),
    opened,
  });
  for (const person of people) {
    if (below(6) === 0) db.query("INSERT INTO collaborators VALUES (?, ?, ?, 0)").run(id, person.id, pick(granted));
  }
}
// Teams of owners, of administrators and with units; with every repository, with some, with none, of other organizations too.
for (const { id: organization } of organizations)
  for (let at = 0; at < TEAMS; at++) {
    const level = at === 0 ? "owner" : below(4) === 0 ? "admin" : "none";
    const team = insertTeam(
      db,
      {
        organizationId: organization,
        name: `t${at}`,
        description: "",
        level,
        units: level === "none" ? someUnits() : {},
        includesAll: at === 0 || below(3) === 0,
        canCreateRepos: false,
        visibility: pick(visibilities),
      },
      0,
    );
    for (const repo of repos) if (below(6) === 0) addTeamRepo(db, team, repo.id, 0);
    for (const { id } of people) {
      if (below(6) > 0) continue;
      addMember(db, organization, id, 0);
      addToTeam(db, { id: team, organizationId: organization }, id, 0);
    }
  }
function someUnits(): UnitLevels {
  return Object.fromEntries(
    teamUnits.filter(() => below(2) === 0).map((unit) => [unit, pick(["none", ...granted] as const)]),
  );
}

const all = Object.fromEntries(["repository"].map((category) => [category, "write" as const]));
const principals: [name: string, principal: Principal][] = [
  ["anonymous", anonymous],
  ["operator", operator],
  ["deploy key", deployKey(3, "write")],
  ["reading deploy key", deployKey(4, "read")],
  ["job", jobToken({ repoId: 5, units: { code: "write", issues: "read" } })],
  ["job without rights", jobToken({ repoId: 6, units: {} })],
  [
    "job that others let in",
    jobToken({
      repoId: 7,
      units: { code: "write", issues: "read" },
      elsewhere: { repoIds: Array.from({ length: 20 }, (_, at) => at * 2 + 1), units: { code: "read" } },
    }),
  ],
  ...people.flatMap((user): [string, Principal][] => [
    [user.login, asAccount(user)],
    [`${user.login}, public only`, { ...asAccount(user), scope: { categories: all, publicOnly: true } }],
  ]),
];

const questions: { unit: Unit | undefined; level: Exclude<Level, "none"> }[] = [undefined, ...units].flatMap((unit) =>
  (["read", "write", "admin", "owner"] as const).map((level) => ({ unit, level })),
);

for (const [site, settings] of [
  ["open site", { requireSignIn: false, forcePrivate: false }],
  ["closed site", { requireSignIn: true, forcePrivate: false }],
  ["private site", { requireSignIn: false, forcePrivate: true }],
] as const) {
  const access = new AccessControl(db, settings);
  access.addGrants(collaboratorGrants);
  for (const source of organizationGrants) access.addGrants(source);
  access.addMembers(organizationMembers);

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
        .query<{ id: number }>(
          `SELECT id FROM users WHERE kind <> 'reserved' AND ${access.accountCondition("users")} ORDER BY id`,
        )
        .all(access.params(principal))
        .map(({ id }) => id);
      const seen = [...people, ...organizations]
        .filter((account) => access.sees(principal, account))
        .map(({ id }) => id);
      expect([name, listed]).toEqual([name, seen]);
    }
  });
}

// The rules of contract repositories.md 4.3, said once more without SQL, for what organizations own.
test(`what teams give is what the contract says (seed ${seed})`, () => {
  const access = new AccessControl(db, { requireSignIn: false, forcePrivate: false });
  access.addGrants(collaboratorGrants);
  for (const source of organizationGrants) access.addGrants(source);
  access.addMembers(organizationMembers);
  let given = 0;
  for (const person of people.filter(({ isAdmin }) => !isAdmin))
    for (const repo of repos) {
      const owner = organizations.find(({ id }) => id === repo.ownerId);
      if (!owner) continue;
      const teams = teamsOfMember(db, owner.id, person.id);
      const isMember = teams.length > 0;
      const having = teams.filter((team) => team.includesAll || teamHasRepo(db, team.id, repo.id));
      const collaborator = db
        .query<{ level: Level }>("SELECT level FROM collaborators WHERE repo_id = ? AND user_id = ?")
        .get(repo.id, person.id)?.level;
      const isOpen =
        !repo.isPrivate &&
        (person.isRestricted ? owner.visibility === "public" : owner.visibility !== "private" || isMember);
      const rules = having.some((team) => team.level !== "none");
      const whole: Level = rules ? "owner" : higher(collaborator ?? "none", isOpen ? "read" : "none");
      const decision = access.on(asAccount(person), { ...repo, opened: undefined });
      for (const unit of units) {
        const wanted = having.reduce<Level>((level, team) => higher(level, team.units[unit] ?? "none"), whole);
        const outlives = unit === "code" || unit === "releases" || unit === "actions";
        const isReachable = repo.units.has(unit) || (outlives && atLeast(whole, "admin"));
        expect([person.login, repo.id, unit, decision.on(unit)]).toEqual([
          person.login,
          repo.id,
          unit,
          isReachable && !repo.isBinned ? wanted : "none",
        ]);
        if (wanted !== whole) given++;
      }
    }
  expect(given).toBeGreaterThan(10);
});
