import { itemContent } from "../../src/activity/item-entries.ts";
import { movedRefOf } from "../../src/activity/moved-ref.ts";
import type { Activity as Happened } from "../../src/activity/service.ts";
import { TAGS } from "../../src/git/refs/names.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import { repoHref } from "../links.ts";
import { personOf } from "../people.ts";
import type { Activity, ActivityEvent, ItemHappened, PushedCommit } from "./activity.tsx";
import { plainExcerpt } from "./plain-excerpt.ts";

/** The commits of a push, newest first, as many as a feed shows, and their number. */
export interface PushedCommits {
  readonly commits: readonly PushedCommit[];
  readonly total: number;
  /** There are more than `total`. */
  readonly hasMore: boolean;
}

/** Finds the commits between two tips; undefined when it would take too long or they no longer exist. */
export type FindPushed = (seen: SeenRepo, oldOid: string | null, newOid: string) => Promise<PushedCommits | undefined>;

/** The feed's entries for a page; kinds without a sentence are left out. */
export async function activityItems(happened: readonly Happened[], findPushed: FindPushed): Promise<Activity[]> {
  const events = await Promise.all(happened.map((entry) => eventOf(entry, findPushed)));
  return happened.flatMap((entry, at) => {
    const event = events[at];
    const { owner, repo } = entry.seen;
    return event
      ? [
          {
            principal: personOf(entry.principal),
            repo: { owner: owner.login, name: repo.name },
            at: entry.createdAt,
            event,
          },
        ]
      : [];
  });
}

async function eventOf(entry: Happened, findPushed: FindPushed): Promise<ActivityEvent | undefined> {
  const name = entry.refName.replace(/^refs\/(heads|tags)\//, "");
  switch (entry.kind) {
    case "create_repo":
      return { kind: "create-repo" };
    case "rename_repo":
      return { kind: "rename-repo", from: entry.content };
    case "transfer_repo":
      return { kind: "transfer-repo", from: entry.content };
    case "create_branch":
      return { kind: "create-branch", branch: name };
    case "delete_branch":
      return { kind: "delete-branch", branch: name };
    case "create_tag":
      return { kind: "create-tag", tag: name };
    case "delete_tag":
      return { kind: "delete-tag", tag: name };
    case "mirror_sync_create":
      return isTag(entry) ? { kind: "create-tag", tag: name } : { kind: "create-branch", branch: name };
    case "mirror_sync_delete":
      return isTag(entry) ? { kind: "delete-tag", tag: name } : { kind: "delete-branch", branch: name };
    case "publish_release":
      return { kind: "publish-release", tag: name, title: entry.content || name };
    case "more_refs":
      return { kind: "more-refs", count: Number(entry.content) };
    case "push":
    case "mirror_sync_push": {
      if (isTag(entry)) return { kind: "create-tag", tag: name };
      const move = movedRefOf(entry.content);
      const pushed = move && (await findPushed(entry.seen, move.old, move.new));
      return { kind: "push", branch: name, commits: [], total: 0, ...pushed };
    }
    default:
      return itemEvent(entry);
  }
}

const isTag = ({ refName }: Happened) => refName.startsWith(TAGS);

const happenings: Readonly<Record<string, ItemHappened["what"]>> = {
  create_issue: "opened",
  create_pull_request: "opened",
  close_issue: "closed",
  close_pull_request: "closed",
  reopen_issue: "reopened",
  reopen_pull_request: "reopened",
  comment_issue: "commented",
  comment_pull: "commented",
  merge_pull_request: "merged",
  auto_merge_pull_request: "merged",
  approve_pull_request: "approved",
  reject_pull_request: "rejected",
};

function itemEvent({ content, entryId, kind, seen }: Happened): ItemHappened | undefined {
  const what = happenings[kind];
  if (!what) return undefined;
  const { number, text } = itemContent(content);
  const page = `${kind.includes("pull") ? "pulls" : "issues"}/${number}`;
  // Closing and reopening have no anchor on the page.
  const hasPlace = entryId !== undefined && what !== "closed" && what !== "reopened";
  const anchor = hasPlace ? `#issuecomment-${entryId}` : "";
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  const isSaid = what === "commented" || what === "approved" || what === "rejected";
  return {
    kind: "item",
    what,
    number,
    href: `${repoHref(repo, page)}${anchor}`,
    text: isSaid ? plainExcerpt(text) : text,
  };
}
