import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { builtExecutable, type HearthProcess, startHearth } from "../../git/hosts/hearth.ts";
import { cpuMsOfTree } from "../process.ts";
import { metric, type RowGroup } from "./row.ts";

interface Size {
  readonly issues: number;
  /** Under each issue. */
  readonly comments: number;
}

const SMALL: Size = { issues: 100, comments: 10 };
/** A million comments. */
const LARGE: Size = { issues: 100_000, comments: 10 };

/** As many as the compilers of the runtime need. */
const WARM_REQUESTS = 500;
const REQUESTS = 200;

/**
 * Adds issues with labels, milestones, assignees and comments to the repository. What filters find is more than a page in the
 * small repository, too: pages of different length say nothing of how a list grows.
 */
function fill(dataDir: string, size: Size): void {
  const db = new Database(join(dataDir, "hearth.db"), { strict: true });
  const { repo, user } = db
    .query<{ repo: number; user: number }, []>(
      "SELECT repositories.id AS repo, owner_id AS user FROM repositories WHERE name = 'wide'",
    )
    .get() ?? { repo: 0, user: 0 };
  const run = (sql: string) => db.query(sql).run({ ...size, repo, user });
  const series = (count: string) =>
    `WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < ${count})`;
  // Words of three syllables, so that trigrams repeat as in a language; one text in four has the same word.
  const syllables =
    "'ba be bi bo da de di do fa fe fi fo ga ge gi go la le li lo ma me mi mo na ne ni no ra re ri ro '";
  const word = `trim(substr(${syllables}, 1 + 3 * abs(random() % 32), 3)) || trim(substr(${syllables}, 1 + 3 * abs(random() % 32), 3))
    || trim(substr(${syllables}, 1 + 3 * abs(random() % 32), 3))`;
  const text = `${word} || ' ' || ${word} || ' ' || ${word} || ' ' || ${word} || CASE n % 4 WHEN 0 THEN ' printer prints' ELSE '' END`;
  db.run("PRAGMA busy_timeout = 60000");
  db.run("PRAGMA synchronous = OFF");
  db.transaction(() => {
    run(`INSERT INTO labels (repo_id, name, color, created_at, updated_at)
      ${series("20")} SELECT $repo, 'label' || n, '00aabb', 1, 1 FROM i WHERE $user > 0`);
    run(
      "UPDATE labels SET name = 'rank/' || name, is_exclusive = 1, exclusive_order = id WHERE id > (SELECT min(id) + 14 FROM labels)",
    );
    run(`INSERT INTO milestones (repo_id, title, lower_title, created_at, updated_at)
      ${series("10")} SELECT $repo, 'goal' || n, 'goal' || n, 1, 1 FROM i WHERE $user > 0`);
    run(`INSERT INTO issues (repo_id, number, poster_id, title, body, is_closed, milestone_id, created_at, updated_at)
      ${series("$issues")} SELECT $repo, n, $user, ${text}, ${text}, n % 10 = 0 OR n BETWEEN 61 AND 95,
        (SELECT min(id) + CASE WHEN n <= 40 THEN 2 ELSE n % 10 END FROM milestones), 1700000000000 + n * 1000, 1700000000000 + n * 1000 FROM i`);
    run("UPDATE issues SET body = 'windmill' WHERE number IN (7, 70)");
    run("INSERT INTO issue_numbers (repo_id, last) SELECT $repo, $issues WHERE $user > 0");
    // The first label on a quarter of all, the second on ten, one of the scope on a third.
    run(
      "INSERT INTO issue_labels (issue_id, label_id) SELECT id, (SELECT min(id) FROM labels) FROM issues WHERE number % 4 = 0 OR number <= 40",
    );
    run(
      "INSERT INTO issue_labels (issue_id, label_id) SELECT id, (SELECT min(id) + 1 FROM labels) FROM issues WHERE number <= 10",
    );
    run(
      "INSERT INTO issue_labels (issue_id, label_id) SELECT id, (SELECT min(id) + 15 FROM labels) + number % 5 FROM issues WHERE number % 3 = 0 AND $repo > 0",
    );
    run(
      "INSERT INTO issue_assignees (issue_id, user_id) SELECT id, $user FROM issues WHERE number % 50 = 1 OR number <= 40",
    );
    run(`INSERT INTO timeline (issue_id, repo_id, kind, user_id, body, created_at, updated_at)
      ${series("$comments")} SELECT issues.id, $repo, 'comment', $user, ${text}, issues.created_at + n, issues.created_at + n
      FROM issues, i`);
    run("UPDATE issues SET comments = $comments");
    run(
      `INSERT INTO projects (repo_id, creator_id, title, lower_title, created_at, updated_at) VALUES ($repo, $user, 'board', 'board', 1, 1)`,
    );
    run(`INSERT INTO project_columns (project_id, title, sorting, is_default, created_at, updated_at)
      ${series("2")} SELECT (SELECT id FROM projects), 'column' || n, n, n = 1, 1, 1 FROM i WHERE $repo > 0`);
    run(`INSERT INTO project_cards (project_id, issue_id, column_id, sorting)
      SELECT (SELECT id FROM projects), id, (SELECT min(id) FROM project_columns) + number % 2, number FROM issues WHERE $repo > 0`);
  })();
  db.close();
}

/** The server's CPU per request, in milliseconds. @param pathOf the path of the n-th request */
async function cpuOf({ origin, pid, token }: HearthProcess, pathOf: (n: number) => string): Promise<number> {
  let n = 0;
  const ask = async () => {
    const path = pathOf(n++);
    const isApi = path.startsWith("api/");
    const answer = await fetch(`${origin}${path}`, isApi ? { headers: { authorization: `token ${token}` } } : {});
    const found = await (isApi ? answer.json() : answer.text());
    if (answer.status !== 200 || found.length === 0)
      throw new Error(`GET /${path} answers ${answer.status} and nothing`);
  };
  for (let i = 0; i < WARM_REQUESTS; i++) await ask();
  const before = cpuMsOfTree(pid);
  for (let i = 0; i < REQUESTS; i++) await ask();
  return (cpuMsOfTree(pid) - before) / REQUESTS;
}

const list = "api/v1/repos/tester/wide/issues";
const page = "tester/wide/issues";
/** The n-th way to write a word in large and small letters. */
const inLetters = (word: string, n: number) =>
  [...word].map((letter, at) => (n & (1 << at) ? letter.toUpperCase() : letter)).join("");

const asked: readonly (readonly [row: string, path: string | ((n: number) => string)])[] = [
  ["issues: page 1", list],
  ["issues: closed ones", `${list}?state=closed`],
  ["issues: page 3 of both kinds and states", `${list}?state=all&page=3`],
  ["issues: a label on a quarter", `${list}?labels=label1`],
  ["issues: a label on ten", `${list}?labels=label2`],
  ["issues: a milestone", `${list}?milestones=goal3`],
  ["issues: someone's", `${list}?created_by=tester`],
  ["issues: assigned", `${list}?assigned_by=tester`],
  ["issues: a word in two texts", `${list}?q=windmill`],
  ["issues: a word in a quarter of all texts", `${list}?q=printer`],
  [
    "issues: the same, asked for the first time",
    (n) => `${list}?q=${inLetters("printer", n)}%20${inLetters("pri", n >> "printer".length)}`,
  ],
  ["issues: everywhere", "api/v1/repos/issues/search"],
  ["issues: a word, everywhere", "api/v1/repos/issues/search?q=windmill"],
  ["issues: one", `${list}/50`],
  ["issues: list page", page],
  ["issues: list page by a scope of labels", `${page}?sort=scope-rank`],
  ["issues: list page by due date", `${page}?sort=nearduedate`],
  ["issues: page of one", `${page}/50`],
  ["issues: board", "tester/wide/projects/1"],
  ["issues: milestone page", "tester/wide/milestone/3"],
];

/** The same requests in a small repository (beside the value of the large one, where real git's stands in other rows). */
export const issueRows: RowGroup = {
  name: "issues",
  doc: "100,000 issues with 1,000,000 comments in one repository, against 100 with 1,000: CPU per request",
  run: async ({ folder }, report) => {
    const costs: Map<string, number>[] = [];
    for (const size of [LARGE, SMALL]) {
      const dataDir = mkdtempSync(join(folder, "issues-"));
      const hearth = await startHearth({ command: builtExecutable(), dataDir });
      try {
        const made = await fetch(`${hearth.origin}api/v1/user/repos`, {
          method: "POST",
          headers: { authorization: `token ${hearth.token}`, "content-type": "application/json" },
          body: JSON.stringify({ name: "wide", auto_init: true }),
        });
        if (made.status !== 201) throw new Error(`the repository could not be made: ${made.status}`);
        fill(dataDir, size);
        const cost = new Map<string, number>();
        for (const [row, path] of asked)
          cost.set(row, await cpuOf(hearth, typeof path === "string" ? () => path : path));
        costs.push(cost);
      } finally {
        await hearth.close();
        rmSync(dataDir, { recursive: true, force: true });
      }
    }
    const [large, small] = costs;
    for (const [row] of asked) report(metric(row, "ms", large?.get(row) ?? Number.NaN, small?.get(row)));
  },
};
