import type { ReadCommit } from "../content/commits/service.ts";
import { TAGS } from "../git/refs/names.ts";
import { rfc3339In } from "../kernel/clock.ts";
import type { SeenRepo } from "../repos/types.ts";
import { movedRefOf } from "./moved-ref.ts";
import type { PushedCommitFinder } from "./pushed-commits.ts";

/** Maximum length of a message in a feed. */
const MAX_MESSAGE = 1_000;

const MOVES = [
  "push",
  "create_branch",
  "delete_branch",
  "create_tag",
  "delete_tag",
  "mirror_sync_create",
  "mirror_sync_push",
  "mirror_sync_delete",
] as const;
type Move = (typeof MOVES)[number];

/** Whether an entry of that kind is about a branch or tag. */
export function isMove(kind: string): kind is Move {
  return MOVES.some((known) => known === kind);
}

/**
 * The API's content of a moved branch or tag (contract webhooks.md 8.2). For a push: its newest commits, the head,
 * their number and the address of the comparison; a new branch has no commits of its own. Clients rely on the names
 * of the fields.
 */
export async function moveContent(
  finder: PushedCommitFinder,
  seen: SeenRepo,
  { kind, content, refName }: { readonly kind: Move; readonly content: string; readonly refName: string },
): Promise<string> {
  if (kind === "delete_branch" || kind === "mirror_sync_create" || kind === "mirror_sync_delete") return "";
  const isTag = refName.startsWith(TAGS);
  const move = movedRefOf(content);
  const found = move && (await finder.find(seen, move.old, move.new));
  const none = { Commits: isTag ? null : [], HeadCommit: null, CompareURL: "", Len: 0 };
  if (!move || !found) return JSON.stringify(none);
  const [head] = found.commits;
  const of = { ...none, HeadCommit: head ? commitContent(head) : null };
  if (isTag || move.old === null) return JSON.stringify(of);
  const { owner, repo } = seen;
  return JSON.stringify({
    ...of,
    Commits: found.commits.map(commitContent),
    CompareURL: `${owner.login}/${repo.name}/compare/${move.old}...${move.new}`,
    Len: found.total,
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
