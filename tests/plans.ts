import type { TestServer } from "./builders.ts";

/** The plans of all that is asked of the database while `ask` runs. @param about only statements that hold it */
export async function plansDuring({ core: { db } }: TestServer, ask: () => Promise<unknown>, about = /^/) {
  const query = db.query;
  const asked = new Set<string>();
  db.query = function <Row>(this: typeof db, sql: string) {
    asked.add(sql);
    return query.call(db, sql) as ReturnType<typeof query<Row>>;
  } as typeof query;
  try {
    await ask();
  } finally {
    db.query = query;
  }
  return [...asked]
    .filter((sql) => /^\s*(SELECT|WITH)/i.test(sql) && about.test(sql))
    .flatMap((sql) =>
      query
        .call(db, `EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map((row) => (row as { detail: string }).detail),
    );
}

/** Walks of a whole table, by index or not; lists that came as JSON and what a query made itself are none, and names of topics are few. */
export const scans = (plans: readonly string[]): string[] =>
  plans.filter((line) => /^SCAN (?!\(|CONSTANT|topics USING COVERING INDEX|.*VIRTUAL TABLE)/.test(line));
