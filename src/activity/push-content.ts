import type { ReadCommit } from "../content/commits/service.ts";
import { rfc3339In } from "../kernel/clock.ts";
import type { SeenRepo } from "../repos/types.ts";
import { movedRefOf } from "./moved-ref.ts";
import type { PushedCommitFinder } from "./pushed-commits.ts";

/** A message in a feed is cut at so many characters. */
const MAX_MESSAGE = 1_000;

/**
 * What the API says of a push: its newest commits, the one it ended at, how many there are and where to compare. A new
 * branch brings no commits of its own. Programs know the names of the fields.
 */
export async function pushContent(finder: PushedCommitFinder, seen: SeenRepo, content: string): Promise<string> {
  const move = movedRefOf(content);
  const found = move && (await finder.find(seen, move.old, move.new));
  if (!move || !found) return JSON.stringify({ Commits: [], HeadCommit: null, CompareURL: "", Len: 0 });
  const { owner, repo } = seen;
  const [head] = found.commits;
  return JSON.stringify({
    Commits: move.old === null ? [] : found.commits.map(commitContent),
    HeadCommit: head ? commitContent(head) : null,
    CompareURL: move.old === null ? "" : `${owner.login}/${repo.name}/compare/${move.old}...${move.new}`,
    Len: move.old === null ? 0 : found.total,
  });
}

const commitContent = ({ oid, commit }: ReadCommit) => ({
  Sha1: oid,
  Message: commit.message.slice(0, MAX_MESSAGE),
  AuthorEmail: commit.author.email,
  AuthorName: commit.author.name,
  CommitterEmail: commit.committer.email,
  CommitterName: commit.committer.name,
  Timestamp: rfc3339In(commit.author.timestamp, commit.author.offsetMinutes),
});
