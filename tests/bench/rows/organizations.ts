import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { RowGroup } from "./row.ts";
import { compareSizes } from "./sizes.ts";

interface Size {
  readonly organizations: number;
  readonly users: number;
  /** In each organization; each team is given every repository. */
  readonly teams: number;
  readonly repos: number;
  /** The tester is in a team of one organization in so many. */
  readonly apart: number;
}

/** Enough to fill a page of each list; one organization has as much as one of the large world, so that its page shows the same. */
const SMALL: Size = { organizations: 30, users: 30, teams: 10, repos: 10, apart: 1 };
/** 100,000 grants of a repository to a team. */
const LARGE: Size = { organizations: 1000, users: 10_000, teams: 10, repos: 10, apart: 10 };

/** Adds the accounts, teams and repositories to a running server; the tester is in the first team of some. */
function fill(dataDir: string, size: Size): void {
  const db = new Database(join(dataDir, "hearth.db"), { strict: true });
  const run = (sql: string) => db.query(sql).run({ ...size });
  const series = (count: string) =>
    `WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < ${count})`;
  db.run("PRAGMA busy_timeout = 10000");
  db.transaction(() => {
    const account = (kind: string, prefix: string, count: string) =>
      run(`INSERT INTO users (login, lower_login, kind, email, created_at, updated_at) ${series(count)}
        SELECT '${prefix}' || n, '${prefix}' || n, '${kind}', '${prefix}' || n || '@example.org', n, n FROM i`);
    account("individual", "person", "$users");
    account("organization", "house", "$organizations");
    // Each of the numbers of requests finds one of them, however many there are.
    run(`UPDATE users SET full_name = ifnull((${series("500")} SELECT group_concat('nr' || n || 'x', ' ') FROM i
      WHERE n % $users = CAST(substr(users.login, 7) AS INTEGER) % $users), '') WHERE login LIKE 'person%'`);
    run("INSERT INTO organizations (user_id) SELECT id FROM users WHERE kind = 'organization'");
    run(`INSERT INTO teams (organization_id, name, lower_name, level, visibility, created_at, updated_at)
      ${series("$teams")} SELECT user_id, 'team' || n, 'team' || n, 'none', 'private', 1, 1 FROM organizations, i`);
    run("INSERT INTO team_units (team_id, unit, level) SELECT id, 'code', 'write' FROM teams");
    run(`INSERT INTO organization_members (organization_id, user_id, created_at)
      SELECT houses.id, users.id, 1 FROM users JOIN users AS houses
        ON houses.lower_login = 'house' || (users.id % $organizations + 1) WHERE users.lower_login LIKE 'person%'`);
    run(`INSERT INTO organization_members (organization_id, user_id, created_at)
      SELECT organizations.user_id, users.id, 1 FROM organizations, users
      WHERE users.login = 'tester' AND organizations.user_id % $apart = 0`);
    run(`INSERT INTO team_members (team_id, user_id, organization_id, created_at)
      SELECT min(teams.id), organization_members.user_id, organization_members.organization_id, 1
      FROM organization_members JOIN teams ON teams.organization_id = organization_members.organization_id
      GROUP BY organization_members.organization_id, organization_members.user_id`);
    run(`CREATE TEMP TABLE made AS ${series("$repos")} SELECT (SELECT ifnull(max(id), 0) FROM repository_storage)
      + row_number() OVER () AS id, organizations.user_id AS owner_id, 'tool' || n AS name FROM organizations, i`);
    run("INSERT INTO repository_storage (id, state, changed_at) SELECT id, 'live', 1 FROM made");
    run(`INSERT INTO repositories (id, owner_id, name, lower_name, is_private, created_at, updated_at)
      SELECT id, owner_id, name, name, id % 2, 1, 1 FROM made`);
    run(`INSERT INTO team_repositories (team_id, repo_id, created_at)
      SELECT teams.id, made.id, 1 FROM made JOIN teams ON teams.organization_id = made.owner_id`);
  }).immediate();
  db.close();
}

/** The same requests in a small world (beside the value of the large one, where real git's stands in other rows). */
export const organizationRows: RowGroup = {
  name: "orgs",
  doc: "1,000 organizations, 10,000 people, 100,000 grants by teams, against 30, 30 and 3,000: CPU per request",
  run: ({ folder }, report) =>
    compareSizes({
      folder,
      what: "many organizations",
      paths: PATHS.map((path) => (path.startsWith("/") ? path.slice(1) : `api/v1/${path}`)),
      large: (hearth) => fill(hearth.dataDir, LARGE),
      small: (hearth) => fill(hearth.dataDir, SMALL),
      headersOf: ({ token }) => ({ authorization: `token ${token}` }),
      report,
    }),
};

/** Of REST, and with a slash before them pages as visitors see them. `{n}` is another number in each request: what was asked for before is remembered until something is written.
 * A search finds a page in either world, or one account in both: what is shown costs more than what is looked for. */
const PATHS = [
  "repos/house9/tool1",
  "orgs/house9/teams",
  "user/repos",
  "user/orgs",
  "orgs",
  "users/search?q=person",
  "users/search?q=nr{n}x",
  "repos/search?q=tool",
  "repos/search?q=tool,none{n}",
  "repos/search?q=house/tool,none{n}",
  "repos/search",
  "/explore/organizations",
  "/explore/users",
  "/house9",
] as const;
