import type { AccessParams } from "../access/conditions.ts";
import type { Database } from "../db/database.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import type { Topic } from "./types.ts";

/** SQL for the sorted names of the topics of the repository `repo`, as a JSON array. */
export const topicList = (repo: string) =>
  `SELECT json_group_array(name) FROM (SELECT topics.name FROM repository_topics
     JOIN topics ON topics.id = repository_topics.topic_id WHERE repository_topics.repo_id = ${repo} ORDER BY topics.name)`;

/**
 * SQL condition: the repository `repositories` has a topic that equals the text `word` or, unless `whole`, contains it.
 */
export const hasTopic = (word: string, whole: string) =>
  `EXISTS (SELECT 1 FROM repository_topics JOIN topics ON topics.id = repository_topics.topic_id
     WHERE repository_topics.repo_id = repositories.id
       AND (topics.name = ${word} OR (NOT ${whole} AND instr(topics.name, ${word}) > 0)))`;

/** SQL for the ids of all such repositories. */
export const withTopic = (word: string, whole: string) =>
  `SELECT repository_topics.repo_id FROM topics CROSS JOIN repository_topics ON repository_topics.topic_id = topics.id
     WHERE topics.name = ${word} OR (NOT ${whole} AND instr(topics.name, ${word}) > 0)`;

export function topicsOf(db: Database, repoId: number): string[] {
  return db
    .query<{ name: string }>(
      `SELECT topics.name FROM repository_topics JOIN topics ON topics.id = repository_topics.topic_id
       WHERE repository_topics.repo_id = ? ORDER BY topics.name`,
    )
    .all(repoId)
    .map(({ name }) => name);
}

/** @returns whether it is new */
export function addTopic(db: Database, repoId: number, name: string, now: number): boolean {
  db.query("INSERT INTO topics (name, created_at, updated_at) VALUES (?1, ?2, ?2) ON CONFLICT DO NOTHING").run(
    name,
    now,
  );
  const sql = `INSERT INTO repository_topics (repo_id, topic_id) SELECT ?, id FROM topics WHERE name = ? ON CONFLICT DO NOTHING`;
  const isNew = db.query(sql).run(repoId, name).changes > 0;
  if (isNew) db.query("UPDATE topics SET updated_at = ? WHERE name = ?").run(now, name);
  return isNew;
}

/** @returns whether it existed */
export function removeTopic(db: Database, repoId: number, name: string, now: number): boolean {
  const sql = "DELETE FROM repository_topics WHERE repo_id = ? AND topic_id = (SELECT id FROM topics WHERE name = ?)";
  const wasThere = db.query(sql).run(repoId, name).changes > 0;
  if (wasThere) db.query("UPDATE topics SET updated_at = ? WHERE name = ?").run(now, name);
  return wasThere;
}

/**
 * Topics whose name contains the part, on repositories visible to the viewer, most used first.
 * @param isVisible condition on `repositories` and their `owners` (src/access)
 */
export function searchTopics(
  db: Database,
  part: string,
  viewer: { readonly isVisible: string; readonly params: AccessParams },
  { limit, offset }: Pick<Paging, "limit" | "offset">,
): Slice<Topic> {
  const used = `SELECT topics.id, topics.name, topics.created_at AS createdAt, topics.updated_at AS updatedAt,
      count(*) AS repoCount
    FROM topics JOIN repository_topics ON repository_topics.topic_id = topics.id
    JOIN repositories ON repositories.id = repository_topics.repo_id
    JOIN users AS owners ON owners.id = repositories.owner_id
    WHERE instr(topics.name, $part) > 0 AND ${viewer.isVisible} GROUP BY topics.id`;
  const params = { ...viewer.params, part };
  const total = db.query<{ n: number }>(`SELECT count(*) AS n FROM (${used})`).get(params)?.n ?? 0;
  const items = db
    .query<Topic>(`${used} ORDER BY repoCount DESC, topics.name LIMIT $limit OFFSET $offset`)
    .all({ ...params, limit, offset });
  return { items, total };
}
