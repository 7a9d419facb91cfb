import { objectOf } from "../../kernel/json.ts";
import { allOf, cutText, hunkOf, MAX_TEXT, oidOf, pathOf, personOf, refOf, timesOf, wholeOf } from "./reading.ts";
import { RestForge } from "./rest-forge.ts";
import { commentOf, itemOf, pullOf, reactionOf, releaseOf } from "./shapes.ts";
import type {
  Forge,
  ForgeCodeComment,
  ForgeComment,
  ForgeItem,
  ForgePull,
  ForgeReaction,
  ForgeReview,
  ForgeTalk,
  Pages,
} from "./types.ts";

/** A repository on Gitea, Forgejo, Gogs or another Hearth. */
export class GiteaForge extends RestForge implements Forge {
  async *issues() {
    for await (const page of this.client.pages("/issues?state=all&type=issues&sort=oldest"))
      yield page.filter((each) => objectOf(each)["pull_request"] == null).map(itemOf);
  }

  async *pulls(): Pages<ForgePull> {
    for await (const page of this.client.pages("/pulls?state=all&sort=oldest"))
      yield page.map((each) => pullOf(each, branchOf));
  }

  /** Its lists are complete. */
  async detailed(pull: ForgePull): Promise<ForgePull> {
    return pull;
  }

  talkOf(item: ForgeItem, kind: "issue" | "pull"): Promise<ForgeTalk> {
    return this.client.within(item.number, () => this.talk(item, kind));
  }

  async *releases() {
    for await (const page of this.client.pages("/releases"))
      yield page.map((each) => releaseOf(each, "browser_download_url"));
  }

  async lastNumbers() {
    let last = 0;
    for (const type of ["issues", "pulls"])
      for await (const page of this.client.pages(`/issues?state=all&type=${type}&sort=latest`)) {
        last = Math.max(last, ...page.map((each) => wholeOf(objectOf(each)["number"])));
        break;
      }
    return { issues: last, pulls: undefined };
  }

  private async talk({ comments, number }: ForgeItem, kind: "issue" | "pull"): Promise<ForgeTalk> {
    return {
      reactions: await this.reactions(`/issues/${number}/reactions`, number),
      comments: comments === 0 ? [] : await this.commentsOf(number),
      reviews: kind === "pull" ? await this.reviewsOf(number) : [],
    };
  }

  private async commentsOf(number: number): Promise<ForgeComment[]> {
    const found: ForgeComment[] = [];
    for (const each of await allOf(this.client.pages(`/issues/${number}/comments`), number)) {
      const id = wholeOf(objectOf(each)["id"]);
      found.push(commentOf(each, id === 0 ? [] : await this.reactions(`/issues/comments/${id}/reactions`, number)));
    }
    return found;
  }

  /** Some related forges have none. */
  private async reactions(path: string, number: number): Promise<ForgeReaction[]> {
    return (await allOf(this.client.pages(path, { mayBeAbsent: true }), number)).map(reactionOf);
  }

  private async reviewsOf(number: number): Promise<ForgeReview[]> {
    const found: ForgeReview[] = [];
    const path = `/pulls/${number}/reviews`;
    for (const each of await allOf(this.client.pages(path, { mayBeAbsent: true }), number)) {
      const review = objectOf(each);
      const kind = KINDS[cutText(review["state"], 32)];
      if (kind === undefined) continue;
      const hasComments = review["comments_count"] !== 0 && wholeOf(review["id"]) > 0;
      const comments = hasComments
        ? await allOf(this.client.pages(`${path}/${wholeOf(review["id"])}/comments`, { mayBeAbsent: true }), number)
        : [];
      found.push({
        kind,
        author: personOf(review["user"], "login"),
        body: cutText(review["body"], MAX_TEXT),
        commitId: oidOf(review["commit_id"]),
        isStale: typeof review["stale"] === "boolean" ? review["stale"] : undefined,
        isDismissed: review["dismissed"] === true,
        ...timesOf(review["submitted_at"], review["updated_at"]),
        comments: comments.map(codeCommentOf),
      });
    }
    return found;
  }
}

const KINDS: Readonly<Record<string, ForgeReview["kind"]>> = {
  APPROVED: "approve",
  REQUEST_CHANGES: "reject",
  COMMENT: "comment",
};

/** For a deleted branch, `ref` is the ref that keeps its commits. */
function branchOf(head: Readonly<Record<string, unknown>>): string {
  const ref = refOf(head["ref"]);
  return refOf(head["label"]) || (ref.startsWith("refs/") ? "" : ref);
}

function codeCommentOf(value: unknown): ForgeCodeComment {
  const comment = objectOf(value);
  return {
    author: personOf(comment["user"], "login"),
    body: cutText(comment["body"], MAX_TEXT),
    path: pathOf(comment["path"]),
    line: wholeOf(comment["position"]) || -wholeOf(comment["original_position"]),
    startLine: 0,
    commitId: oidOf(comment["commit_id"]),
    hunk: hunkOf(comment["diff_hunk"]),
    isOutdated: false,
    resolvedBy: comment["resolver"] == null ? undefined : personOf(comment["resolver"], "login"),
    ...timesOf(comment["created_at"], comment["updated_at"]),
  };
}
