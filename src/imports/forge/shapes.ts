import { objectOf } from "../../kernel/json.ts";
import {
  colorOf,
  cutText,
  listOf,
  MAX_TEXT,
  MAX_TITLE,
  oidOf,
  personOf,
  refOf,
  timeOf,
  timesOf,
  wholeOf,
} from "./reading.ts";
import type {
  ForgeAbout,
  ForgeAsset,
  ForgeComment,
  ForgeItem,
  ForgeLabel,
  ForgeMilestone,
  ForgePerson,
  ForgePull,
  ForgeReaction,
  ForgeRelease,
} from "./types.ts";

/** Members that GitHub and the Gitea family name alike. */

export function aboutOf(value: unknown): ForgeAbout {
  const there = objectOf(value);
  return {
    description: cutText(there["description"], 2_048).trim(),
    website: cutText(there["website"] ?? there["homepage"], 1_024).trim(),
    topics: listOf(there["topics"]).map((topic) => cutText(topic, 100)),
  };
}

export function labelOf(value: unknown): ForgeLabel {
  const label = objectOf(value);
  return {
    name: cutText(label["name"], MAX_TITLE).trim(),
    color: colorOf(label["color"]),
    description: cutText(label["description"], 1_000),
    isExclusive: label["exclusive"] === true,
    isArchived: label["is_archived"] === true,
  };
}

export function milestoneOf(value: unknown): ForgeMilestone {
  const milestone = objectOf(value);
  return {
    title: cutText(milestone["title"], MAX_TITLE).trim(),
    description: cutText(milestone["description"], MAX_TEXT),
    dueAt: timeOf(milestone["due_on"]),
    isClosed: milestone["state"] === "closed",
  };
}

/** The author there; for items that were moved there, the original one. */
export function authorOf(value: unknown): ForgePerson {
  const entry = objectOf(value);
  const before = cutText(entry["original_author"], MAX_TITLE);
  if (before !== "") return { name: before, id: wholeOf(entry["original_author_id"]), isFromElsewhere: true };
  return personOf(entry["user"], "login");
}

export const peopleOf = (value: unknown): ForgePerson[] => listOf(value).map((each) => personOf(each, "login"));

export function reactionOf(value: unknown): ForgeReaction {
  const reaction = objectOf(value);
  return {
    giver: personOf(reaction["user"], "login"),
    content: cutText(reaction["content"], 64),
    createdAt: timeOf(reaction["created_at"]) ?? 0,
  };
}

export function commentOf(value: unknown, reactions: readonly ForgeReaction[]): ForgeComment {
  const comment = objectOf(value);
  return {
    author: authorOf(comment),
    body: cutText(comment["body"], MAX_TEXT),
    ...timesOf(comment["created_at"], comment["updated_at"]),
    reactions,
    assets: assetsOf(comment),
  };
}

export function itemOf(value: unknown): ForgeItem {
  const item = objectOf(value);
  const number = wholeOf(item["number"]);
  const times = timesOf(item["created_at"], item["updated_at"]);
  const felt = objectOf(item["reactions"])["total_count"];
  return {
    number,
    author: authorOf(item),
    title: cutText(item["title"], MAX_TITLE).trim() || `#${number}`,
    body: cutText(item["body"], MAX_TEXT),
    ref: refOf(item["ref"]),
    ...times,
    closedAt: item["state"] === "closed" ? (timeOf(item["closed_at"]) ?? times.updatedAt) : undefined,
    isLocked: (item["is_locked"] ?? item["locked"]) === true,
    pinOrder: wholeOf(item["pin_order"]),
    dueAt: timeOf(item["due_date"]),
    labels: listOf(item["labels"]).map((each) => cutText(objectOf(each)["name"], MAX_TITLE).trim()),
    milestone: cutText(objectOf(item["milestone"])["title"], MAX_TITLE).trim(),
    assignees: peopleOf(item["assignees"]),
    comments: typeof item["comments"] === "number" ? wholeOf(item["comments"]) : undefined,
    hasReactions: typeof felt === "number" ? felt > 0 : undefined,
    assets: assetsOf(item),
    isConfidential: false,
  };
}

/** @param headBranchOf reads the name of the branch of `head` */
export function pullOf(value: unknown, headBranchOf: (head: Readonly<Record<string, unknown>>) => string): ForgePull {
  const pull = objectOf(value);
  const item = itemOf(pull);
  const [base, head] = [objectOf(pull["base"]), objectOf(pull["head"])];
  const mergedAt = pull["merged"] === false ? undefined : timeOf(pull["merged_at"]);
  const idOf = (branch: typeof head) => wholeOf(objectOf(branch["repo"])["id"]);
  return {
    ...item,
    headRef: `refs/pull/${item.number}/head`,
    headBranch: headBranchOf(head),
    isOfSameRepo: idOf(head) > 0 && idOf(head) === idOf(base),
    headOid: oidOf(head["sha"]),
    baseBranch: refOf(base["ref"]),
    baseOid: oidOf(pull["merge_base"]) || oidOf(base["sha"]),
    isDraft: pull["draft"] === true,
    mergedAt,
    mergedBy: mergedAt === undefined || pull["merged_by"] == null ? undefined : personOf(pull["merged_by"], "login"),
    mergeCommit: mergedAt === undefined ? "" : oidOf(pull["merge_commit_sha"]),
    allowsMaintainerEdit: (pull["allow_maintainer_edit"] ?? pull["maintainer_can_modify"]) === true,
    reviewers: peopleOf(pull["requested_reviewers"]),
  };
}

/** @param urlMember the member with an asset's address */
export function releaseOf(value: unknown, urlMember: "url" | "browser_download_url"): ForgeRelease {
  const release = objectOf(value);
  return {
    tag: refOf(release["tag_name"]),
    target: refOf(release["target_commitish"]),
    title: cutText(release["name"], MAX_TITLE),
    body: cutText(release["body"], MAX_TEXT),
    isDraft: release["draft"] === true,
    isPrerelease: release["prerelease"] === true,
    createdAt: timeOf(release["published_at"]) ?? timeOf(release["created_at"]),
    assets: assetsOf(release, urlMember),
  };
}

/** Files of a release, an item or a comment. @param urlMember the member with an asset's address */
function assetsOf(
  of: Readonly<Record<string, unknown>>,
  urlMember: "url" | "browser_download_url" = "browser_download_url",
): ForgeAsset[] {
  return listOf(of["assets"]).map((each) => {
    const asset = objectOf(each);
    const url = cutText(asset[urlMember], 4_096);
    return { name: cutText(asset["name"], MAX_TITLE), url, sizeBytes: wholeOf(asset["size"]) };
  });
}
