import type { HomeKey } from "./types.ts";

/** The SQL condition for rows of a home: each kind of home has its own index. */
export function inHome({ ownerId, repoId }: HomeKey): {
  readonly sql: string;
  readonly params: Readonly<Record<string, number>>;
} {
  if (repoId !== undefined) return { sql: "repo_id = $repoId", params: { repoId } };
  if (ownerId !== undefined) return { sql: "owner_id = $ownerId", params: { ownerId } };
  return { sql: "repo_id IS NULL AND owner_id IS NULL", params: {} };
}
