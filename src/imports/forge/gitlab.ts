import { objectOf } from "../../kernel/json.ts";
import type { ForgeClient } from "./client.ts";
import {
  allOf,
  colorOf,
  cutText,
  listOf,
  MAX_TEXT,
  MAX_TITLE,
  oidOf,
  pathOf,
  personOf,
  refOf,
  timeOf,
  timesOf,
  wholeOf,
} from "./reading.ts";
import type {
  Forge,
  ForgeAsset,
  ForgeCodeComment,
  ForgeComment,
  ForgeItem,
  ForgePull,
  ForgeReaction,
  ForgeRelease,
  ForgeReview,
  ForgeTalk,
  Pages,
} from "./types.ts";

/** A project on GitLab, through version 4 of its REST API. Merge requests are numbered separately there. */
export class GitLabForge implements Forge {
  constructor(private readonly client: ForgeClient) {}

  async about() {
    const there = objectOf(await this.client.get(""));
    return {
      description: cutText(there["description"], 2_048).trim(),
      website: "",
      topics: listOf(there["topics"] ?? there["tag_list"]).map((topic) => cutText(topic, 100)),
    };
  }

  async *labels() {
    for await (const page of this.client.pages("/labels"))
      yield page.map(objectOf).map((label) => ({
        name: cutText(label["name"], MAX_TITLE).trim(),
        color: colorOf(label["color"]),
        description: cutText(label["description"], 1_000),
        isExclusive: cutText(label["name"], MAX_TITLE).includes("::"),
        isArchived: label["archived"] === true,
      }));
  }

  async *milestones() {
    for await (const page of this.client.pages("/milestones"))
      yield page.map(objectOf).map((milestone) => ({
        title: cutText(milestone["title"], MAX_TITLE).trim(),
        description: cutText(milestone["description"], MAX_TEXT),
        dueAt: timeOf(milestone["due_date"]),
        isClosed: milestone["state"] === "closed",
      }));
  }

  async *issues(): Pages<ForgeItem> {
    for await (const page of this.client.pages(`/issues?${OLDEST_FIRST}`, WHERE_SWITCHED_OFF)) yield page.map(itemOf);
  }

  async *pulls(): Pages<ForgePull> {
    for await (const page of this.client.pages(`/merge_requests?state=all&${OLDEST_FIRST}`, WHERE_SWITCHED_OFF))
      yield page.map(pullOf);
  }

  /** Lists omit the base of the changes. */
  async detailed({ number }: ForgePull): Promise<ForgePull> {
    return pullOf(await this.client.get(`/merge_requests/${number}`));
  }

  talkOf(item: ForgeItem, kind: "issue" | "pull"): Promise<ForgeTalk> {
    return this.client.within(item.number, () => this.talk(item, kind));
  }

  async *releases(): Pages<ForgeRelease> {
    for await (const page of this.client.pages("/releases", WHERE_SWITCHED_OFF)) yield page.map(releaseOf);
  }

  file({ url }: Pick<ForgeAsset, "url">, maxBytes: number) {
    return this.client.file(url, maxBytes);
  }

  async lastNumbers() {
    return { issues: await this.last("/issues?"), pulls: await this.last("/merge_requests?state=all&") };
  }

  private async talk({ comments: count, number }: ForgeItem, kind: "issue" | "pull"): Promise<ForgeTalk> {
    const path = `/${kind === "pull" ? "merge_requests" : "issues"}/${number}`;
    const reactions = await this.reactions(path, number);
    const found = kind === "issue" && count === 0 ? [] : await allOf(this.client.pages(`${path}/discussions`), number);
    const comments: ForgeComment[] = [];
    const reviews: ForgeReview[] = kind === "pull" ? await this.approvalsOf(path) : [];
    for (const discussion of found) {
      const notes = listOf(objectOf(discussion)["notes"]).map(objectOf).filter(isSaid);
      const lines = kind === "pull" ? notes.filter((note) => note["position"] != null).map(codeCommentOf) : [];
      const [first] = lines;
      if (first) reviews.push(reviewOf(first, lines));
      else
        for (const note of notes) {
          const felt = await this.reactions(`${path}/notes/${wholeOf(note["id"])}`, number);
          const said = saidOf(note);
          comments.push({ ...said, reactions: felt, assets: uploadsIn(said.body) });
        }
    }
    return { reactions, comments: comments.sort((a, b) => a.createdAt - b.createdAt), reviews };
  }

  private async last(path: string): Promise<number> {
    const newest = this.client.pages(`${path}scope=all&order_by=created_at&sort=desc`, WHERE_SWITCHED_OFF);
    for await (const page of newest) return Math.max(0, ...page.map((each) => wholeOf(objectOf(each)["iid"])));
    return 0;
  }

  private async reactions(path: string, number: number): Promise<ForgeReaction[]> {
    const found = await allOf(this.client.pages(`${path}/award_emoji`, WHERE_SWITCHED_OFF), number);
    return found.map(objectOf).map((award) => {
      const name = cutText(award["name"], 64);
      return {
        giver: personOf(award["user"], "username"),
        content: EMOJI[name] ?? name,
        createdAt: timeOf(award["created_at"]) ?? 0,
      };
    });
  }

  /** Approvals; not every edition reports their time. */
  private async approvalsOf(path: string): Promise<ForgeReview[]> {
    const approvals = objectOf(await this.client.find(`${path}/approvals`));
    const at = timeOf(approvals["updated_at"]) ?? timeOf(approvals["created_at"]) ?? 0;
    return listOf(approvals["approved_by"]).map((each) => {
      const createdAt = timeOf(objectOf(each)["approved_at"]) ?? at;
      return {
        kind: "approve",
        author: personOf(objectOf(each)["user"], "username"),
        body: "",
        commitId: "",
        isStale: false,
        isDismissed: false,
        createdAt,
        updatedAt: createdAt,
        comments: [],
      };
    });
  }
}

type Members = Readonly<Record<string, unknown>>;

const OLDEST_FIRST = "scope=all&order_by=created_at&sort=asc";
/** Features that a project does not use are absent or forbidden. */
const WHERE_SWITCHED_OFF = { mayBeAbsent: true };

/** Names that differ here. */
const EMOJI: Readonly<Record<string, string>> = {
  thumbsup: "+1",
  thumbsdown: "-1",
  laughing: "laugh",
  smile: "laugh",
  tada: "hooray",
};

/** Excludes system events, which are notes too, and confidential notes. */
const isSaid = (note: Members) => note["system"] !== true && note["confidential"] !== true && note["internal"] !== true;

function itemOf(value: unknown): ForgeItem {
  const item = objectOf(value);
  const number = wholeOf(item["iid"]);
  const times = timesOf(item["created_at"], item["updated_at"]);
  const isOver = item["state"] === "closed" || item["state"] === "merged";
  const closedAt = timeOf(item["closed_at"]) ?? timeOf(item["merged_at"]) ?? times.updatedAt;
  return {
    number,
    author: personOf(item["author"], "username"),
    title: cutText(item["title"], MAX_TITLE).trim() || `#${number}`,
    body: cutText(item["description"], MAX_TEXT),
    ref: "",
    ...times,
    closedAt: isOver ? closedAt : undefined,
    isLocked: item["discussion_locked"] === true,
    pinOrder: 0,
    dueAt: timeOf(item["due_date"]),
    labels: listOf(item["labels"]).map((each) => cutText(each, MAX_TITLE).trim()),
    milestone: cutText(objectOf(item["milestone"])["title"], MAX_TITLE).trim(),
    assignees: peopleOf(item["assignees"]),
    comments: typeof item["user_notes_count"] === "number" ? wholeOf(item["user_notes_count"]) : undefined,
    hasReactions: undefined,
    assets: uploadsIn(cutText(item["description"], MAX_TEXT)),
    isConfidential: item["confidential"] === true,
  };
}

/** Files are only mentioned in texts, by paths that the API serves below the project. */
function uploadsIn(body: string): ForgeAsset[] {
  const found = body.matchAll(/\/uploads\/[0-9a-f]{32}\/([\w%.+~-]{1,255})/g);
  const urls = new Map([...found].map(([url, name = ""]) => [url, name]));
  return [...urls].map(([url, name]) => ({ url, name, sizeBytes: 0 }));
}

function pullOf(value: unknown): ForgePull {
  const pull = objectOf(value);
  const item = itemOf(pull);
  const title = item.title.replace(/^(?:\[draft\]|\(draft\)|draft:)\s*/i, "").trim();
  const mergedAt =
    pull["state"] === "merged" ? (timeOf(pull["merged_at"]) ?? item.closedAt ?? item.updatedAt) : undefined;
  const merger = pull["merge_user"] ?? pull["merged_by"];
  return {
    ...item,
    title: title || item.title,
    headRef: `refs/merge-requests/${item.number}/head`,
    headBranch: refOf(pull["source_branch"]),
    isOfSameRepo: wholeOf(pull["source_project_id"]) > 0 && pull["source_project_id"] === pull["target_project_id"],
    headOid: oidOf(pull["sha"]),
    baseBranch: refOf(pull["target_branch"]),
    baseOid: oidOf(objectOf(pull["diff_refs"])["base_sha"]),
    isDraft: pull["draft"] === true || pull["work_in_progress"] === true,
    mergedAt,
    mergedBy: mergedAt === undefined || merger == null ? undefined : personOf(merger, "username"),
    mergeCommit:
      mergedAt === undefined
        ? ""
        : oidOf(pull["merge_commit_sha"]) || oidOf(pull["squash_commit_sha"]) || oidOf(pull["sha"]),
    allowsMaintainerEdit: pull["allow_collaboration"] === true,
    reviewers: peopleOf(pull["reviewers"]),
  };
}

const peopleOf = (value: unknown) => listOf(value).map((each) => personOf(each, "username"));

function saidOf(note: Members) {
  return {
    author: personOf(note["author"], "username"),
    body: cutText(note["body"], MAX_TEXT),
    ...timesOf(note["created_at"], note["updated_at"]),
  };
}

function codeCommentOf(note: Members): ForgeCodeComment {
  const position = objectOf(note["position"]);
  const newLine = wholeOf(position["new_line"]);
  const path = newLine > 0 ? position["new_path"] : (position["old_path"] ?? position["new_path"]);
  return {
    ...saidOf(note),
    path: pathOf(path),
    line: newLine || -wholeOf(position["old_line"]),
    startLine: 0,
    commitId: oidOf(position["head_sha"]),
    hunk: "",
    isOutdated: false,
    resolvedBy: note["resolved"] === true ? personOf(note["resolved_by"], "username") : undefined,
  };
}

/** A discussion of lines, as a review by its first author. */
function reviewOf(
  { author, commitId, createdAt }: ForgeCodeComment,
  comments: readonly ForgeCodeComment[],
): ForgeReview {
  const updatedAt = Math.max(createdAt, ...comments.map((comment) => comment.updatedAt));
  const facts = { kind: "comment", body: "", isStale: undefined, isDismissed: false } as const;
  return { ...facts, author, commitId, createdAt, updatedAt, comments };
}

function releaseOf(value: unknown): ForgeRelease {
  const release = objectOf(value);
  return {
    tag: refOf(release["tag_name"]),
    target: "",
    title: cutText(release["name"], MAX_TITLE),
    body: cutText(release["description"], MAX_TEXT),
    isDraft: false,
    isPrerelease: release["upcoming_release"] === true,
    createdAt: timeOf(release["released_at"]) ?? timeOf(release["created_at"]),
    assets: listOf(objectOf(release["assets"])["links"]).map((each) => {
      const link = objectOf(each);
      return {
        name: cutText(link["name"], MAX_TITLE),
        url: cutText(link["direct_asset_url"] ?? link["url"], 4_096),
        sizeBytes: 0,
      };
    }),
  };
}
