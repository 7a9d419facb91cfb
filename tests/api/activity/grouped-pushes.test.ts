import { expect, test } from "bun:test";
import { withGroupedPushes } from "../../../src/activity/grouped-pushes.ts";
import type { ActivityRow } from "../../../src/activity/store.ts";

const MINUTE_MS = 60_000;
let id = 0;

/** A push from one tip to the next, minutes before now. */
function aPush(old: string, tip: string, minutesAgo: number, more: Partial<ActivityRow> = {}): ActivityRow {
  const content = JSON.stringify({ old, new: tip });
  const createdAt = 1e12 - minutesAgo * MINUTE_MS;
  const about = { issueId: null, entryId: null };
  const refName = "refs/heads/main";
  return { id: ++id, actorId: 1, repoId: 1, kind: "push", refName, content, ...about, createdAt, ...more };
}

const shown = (rows: readonly ActivityRow[]) =>
  withGroupedPushes(rows).map(({ kind, content }) => {
    if (kind !== "push") return kind;
    const move: { old: string; new: string } = JSON.parse(content);
    return `${move.old}..${move.new}`;
  });

for (const [name, rows, entries] of [
  ["pushes that follow each other are one", [aPush("c", "d", 0), aPush("b", "c", 5), aPush("a", "b", 10)], ["a..d"]],
  [
    "each may come an hour after the one before",
    [aPush("c", "d", 0), aPush("b", "c", 60), aPush("a", "b", 120)],
    ["a..d"],
  ],
  ["later ones are apart", [aPush("b", "c", 0), aPush("a", "b", 61)], ["b..c", "a..b"]],
  ["other people's are apart", [aPush("b", "c", 0), aPush("a", "b", 1, { actorId: 2 })], ["b..c", "a..b"]],
  ["other repositories' are apart", [aPush("b", "c", 0), aPush("a", "b", 1, { repoId: 2 })], ["b..c", "a..b"]],
  [
    "a push to another branch between them changes nothing",
    [aPush("b", "c", 0), aPush("x", "y", 1, { refName: "refs/heads/dev" }), aPush("a", "b", 2)],
    ["a..c", "x..y"],
  ],
  [
    "what someone else pushed between them keeps them apart",
    [aPush("c", "d", 0), aPush("b", "c", 1, { actorId: 2 }), aPush("a", "b", 2)],
    ["c..d", "b..c", "a..b"],
  ],
  ["a tip that came from elsewhere keeps them apart", [aPush("x", "y", 0), aPush("a", "b", 1)], ["x..y", "a..b"]],
  [
    "the creation of the branch stays an entry",
    [aPush("a", "b", 0), aPush("", "a", 1, { kind: "create_branch" })],
    ["a..b", "create_branch"],
  ],
] as const)
  test(name, () => {
    expect(shown(rows)).toEqual([...entries]);
  });
