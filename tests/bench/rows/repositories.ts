import { Database } from "bun:sqlite";
import { join } from "node:path";
import { builtExecutable, type HearthProcess } from "../../git/hosts/hearth.ts";
import type { RowGroup } from "./row.ts";
import { compareSizes } from "./sizes.ts";

interface Size {
  /** Of the one who asks. */
  readonly own: number;
  readonly owners: number;
  /** Of each owner. */
  readonly each: number;
}

const SMALL: Size = { own: 50, owners: 10, each: 5 };
/** 100,000 in all. */
const LARGE: Size = { own: 10_000, owners: 900, each: 100 };

const PASSWORD = "a long password 1";

/** Adds owners, repositories of which half are private, topics, stars, watches, collaborators and a feed. */
function fill(dataDir: string, size: Size): void {
  const db = new Database(join(dataDir, "hearth.db"), { strict: true });
  const run = (sql: string) => db.query(sql).run({ ...size });
  const series = (count: string) =>
    `WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < ${count})`;
  db.run("PRAGMA busy_timeout = 60000");
  db.run("PRAGMA synchronous = OFF");
  db.transaction(() => {
    run(`INSERT INTO users (login, lower_login, kind, email, created_at, updated_at) ${series("$owners")}
      SELECT 'owner' || n, 'owner' || n, 'individual', 'owner' || n || '@example.org', n, n FROM i`);
    run(`CREATE TEMP TABLE made AS
      WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < max($own, $each)),
        wanted AS (SELECT users.id AS owner_id, login = 'keeper' AS is_keeper, n FROM users, i
          WHERE (login = 'keeper' AND n <= $own) OR (login LIKE 'owner%' AND n <= $each))
      SELECT (SELECT ifnull(max(id), 0) FROM repository_storage) + row_number() OVER (ORDER BY n, owner_id) AS id,
        owner_id, iif(is_keeper AND n <= 40, 'lantern', 'tool') || n AS name FROM wanted`);
    run("INSERT INTO repository_storage (id, state, changed_at) SELECT id, 'live', 1 FROM made");
    run(`INSERT INTO repositories (id, owner_id, name, lower_name, description, is_private, primary_language, created_at, updated_at)
      SELECT id, owner_id, name, name, 'A tool with the number ' || id, id % 2,
        CASE id % 3 WHEN 0 THEN 'TypeScript' WHEN 1 THEN 'C' ELSE '' END, id * 1000, id * 1000 FROM made`);
    run("INSERT INTO git_folders (id, repo_id, kind, default_branch) SELECT id, id, 'code', 'main' FROM made");
    run("INSERT INTO topics (name, created_at, updated_at) VALUES ('tooling', 1, 1)");
    run(
      "INSERT INTO repository_topics (repo_id, topic_id) SELECT made.id, topics.id FROM made, topics WHERE made.id % ($own / 25) = 0 AND topics.name = 'tooling'",
    );
    run("INSERT INTO watches (repo_id, user_id, created_at) SELECT id, owner_id, 1 FROM made");
    const keeper = "(SELECT id FROM users WHERE login = 'keeper')";
    run(
      `INSERT INTO stars (repo_id, user_id, created_at) SELECT id, ${keeper}, id FROM made WHERE id % ($own / 25) = 0`,
    );
    run(`INSERT INTO collaborators (repo_id, user_id, level, created_at)
      SELECT id, ${keeper}, 'write', 1 FROM made WHERE owner_id != ${keeper} AND id % ($own / 25) = 0`);
    run(`INSERT INTO activities (event_id, actor_id, repo_id, kind, created_at)
      SELECT id, owner_id, id, 'create_repo', id * 1000 FROM made`);
  }).immediate();
  db.run("PRAGMA optimize = 0x10002");
  db.close();
}

function operate(dataDir: string, ...words: string[]): string {
  const { exitCode, stderr, stdout } = Bun.spawnSync([
    ...builtExecutable(),
    "admin",
    "user",
    ...words,
    "--data",
    dataDir,
  ]);
  if (exitCode !== 0) throw new Error(stderr.toString());
  return stdout.toString();
}

async function filled({ dataDir }: HearthProcess, size: Size): Promise<void> {
  const account = ["--username", "keeper", "--password", PASSWORD, "--email", "keeper@example.org"];
  operate(dataDir, "create", ...account, "--must-change-password=false");
  fill(dataDir, size);
}

/** The session, for pages, and the token, for the API, of the one whose repositories they are. */
async function session({ dataDir, origin }: HearthProcess): Promise<{ cookie: string; authorization: string }> {
  const made = operate(dataDir, "generate-access-token", "--username", "keeper", "--scopes", "all", "--raw");
  const answer = await fetch(`${origin}user/login`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: origin.replace(/\/$/, "") },
    body: new URLSearchParams({ user_name: "keeper", password: PASSWORD }),
  });
  const cookie = answer.headers.getSetCookie().map((line) => line.slice(0, line.indexOf(";")));
  if (answer.status !== 303) throw new Error(`signing in answers ${answer.status}`);
  return { cookie: cookie.join("; "), authorization: `token ${made.trim()}` };
}

export const repositoryRows: RowGroup = {
  name: "repos",
  doc: "10,000 repositories of one owner and 100,000 in all, against 100: CPU per request of lists, searches and pages",
  run: ({ folder }, report) =>
    compareSizes({
      folder,
      what: "many repositories",
      paths: PATHS,
      large: (hearth) => filled(hearth, LARGE),
      small: (hearth) => filled(hearth, SMALL),
      headersOf: session,
      report,
    }),
};

/** Few repositories are called lantern, and all others tool: who looks for that has all of them counted. */
const PATHS = [
  "api/v1/repos/keeper/tool50",
  "api/v1/user/repos",
  "api/v1/users/keeper/repos",
  "api/v1/user/starred",
  "api/v1/repos/search",
  "api/v1/repos/search?sort=updated&order=desc",
  "api/v1/repos/search?q=lantern,none{n}",
  "api/v1/repos/search?q=keeper/lantern,none{n}",
  "api/v1/repos/search?topic=true&q=tooling,none{n}",
  "api/v1/repos/search?q=tool,none{n}",
  "",
  "keeper",
  "keeper?tab=stars",
  "explore/repos",
  "explore/repos?q=lantern,none{n}",
  "repo/search?q=lantern,none{n}",
  "user/settings/repos",
] as const;
