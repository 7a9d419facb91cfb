import type { ReadCommit } from "../../content/commits/service.ts";
import { BRANCHES } from "../../git/refs/names.ts";
import { segment, segments } from "../../kernel/url-path.ts";
import { repoPage } from "../../repos/addresses.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Services } from "../../services.ts";
import type { PushSource } from "../sources.ts";
import { commitAt, pushedCommitPayloads } from "./commits.ts";
import { personOf, repoOf, seenBy } from "./common.ts";

/** Maximum number of commits reported for a new branch. */
const MAX_NEW = 10;
/** Maximum number of commits shown. */
const MAX_SHOWN = 5;
/** Maximum number of other branches checked for commits they already had. */
const MAX_OTHERS = 1_000;

interface Brought {
  readonly commits: readonly ReadCommit[];
  readonly total: number;
  /** The oldest commit overall, shown or not. */
  readonly oldest: ReadCommit | undefined;
}

const nothing: Brought = { commits: [], total: 0, oldest: undefined };

/** A ref that moved (contract webhooks.md 6.1). undefined: its repository is gone */
export async function pushPayload(services: Services, source: PushSource): Promise<object | undefined> {
  const { newOid, oldOid, ref, repoId, userId } = source;
  const seen = seenBy(services, repoId);
  if (!seen) return undefined;
  const isBranch = ref.startsWith(BRANCHES);
  const zeros = "0".repeat((newOid ?? oldOid ?? "").length);
  // A moved tag has no previous commit; a deleted one does.
  const before = isBranch || newOid === null ? (oldOid ?? zeros) : zeros;
  const head = newOid === null ? undefined : commitAt(services, seen, newOid);
  const brought = isBranch && newOid !== null ? await broughtBy(services, seen, source, newOid) : nothing;
  const shown = await pushedCommitPayloads(services, seen, brought.commits);
  const [newest] = brought.commits;
  const [headCommit = null] =
    head && head.oid !== newest?.oid ? await pushedCommitPayloads(services, seen, [head]) : shown;
  const person = personOf(services, userId);
  return {
    ref,
    before,
    after: newOid ?? zeros,
    compare_url: compareUrl(services, seen, { source, before, oldest: brought.oldest }),
    commits: shown,
    total_commits: brought.total,
    head_commit: head ? headCommit : null,
    repository: repoOf(services, seen),
    pusher: person,
    sender: person,
  };
}

async function broughtBy(
  services: Services,
  seen: SeenRepo,
  { oldOid, ref }: PushSource,
  newOid: string,
): Promise<Brought> {
  const { commitGraphs, commits, history, pushedCommits, refs } = services;
  if (oldOid !== null) {
    const found = await pushedCommits.find(seen, oldOid, newOid);
    return found ? { ...found, oldest: undefined } : nothing;
  }
  const others = refs.list(seen.repo.id, BRANCHES).filter(({ name }) => name !== ref);
  const not = others.slice(0, MAX_OTHERS).map(({ oid }) => oid);
  // New commits are found by walking everything old.
  await commitGraphs.awaitSoon(seen.repo.id);
  const { oids } = await history.page(seen, { tips: [newOid], not, skip: 0, limit: MAX_NEW, count: false });
  const [oldest] = commits.readAll(seen, oids.slice(-1));
  return { commits: commits.readAll(seen, oids.slice(0, MAX_SHOWN)), total: oids.length, oldest };
}

/** The comparison page of old and new; never empty. */
function compareUrl(
  { links }: Services,
  seen: SeenRepo,
  {
    before,
    oldest,
    source,
  }: { readonly source: PushSource; readonly before: string; readonly oldest: ReadCommit | undefined },
): string {
  const { newOid, oldOid, ref } = source;
  const page = `${repoPage(seen, links)}/compare`;
  const after = newOid ?? oldOid ?? "";
  if (newOid === null) return `${page}/${segment(after)}...${segment(after)}`;
  if (!ref.startsWith(BRANCHES) || oldOid !== null) return `${page}/${before}...${after}`;
  const base = oldest?.commit.parents[0];
  if (base !== undefined) return `${page}/${base}...${after}`;
  const isDefault = ref === BRANCHES + seen.repo.defaultBranch;
  return `${page}/${isDefault ? after : segments(seen.repo.defaultBranch)}...${after}`;
}
