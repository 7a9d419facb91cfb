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

/** A repository on GitHub, through its REST API of 2022-11-28. */
export class GitHubForge extends RestForge implements Forge {
  /** The list includes pull requests. */
  async *issues() {
    for await (const page of this.client.pages("/issues?state=all&sort=created&direction=asc", WHERE_SWITCHED_OFF))
      yield page.filter((each) => objectOf(each)["pull_request"] == null).map(itemOf);
  }

  async *pulls(): Pages<ForgePull> {
    for await (const page of this.client.pages("/pulls?state=all&sort=created&direction=asc"))
      yield page.map((each) => pullOf(each, branchOf));
  }

  /** Adds who merged it, and the numbers of comments and reactions. */
  async detailed(pull: ForgePull): Promise<ForgePull> {
    const { number } = pull;
    const asItem = itemOf(await this.client.find(`/issues/${number}`));
    const { comments, hasReactions } = asItem;
    if (pull.mergedAt === undefined) return { ...pull, comments, hasReactions };
    return { ...pullOf(await this.client.get(`/pulls/${number}`), branchOf), comments, hasReactions };
  }

  talkOf(item: ForgeItem, kind: "issue" | "pull"): Promise<ForgeTalk> {
    return this.client.within(item.number, () => this.talk(item, kind));
  }

  async *releases() {
    for await (const page of this.client.pages("/releases")) yield page.map((each) => releaseOf(each, "url"));
  }

  async lastNumbers() {
    let last = 0;
    for (const list of ["issues", "pulls"]) {
      const path = `/${list}?state=all&sort=created&direction=desc`;
      for await (const page of this.client.pages(path, WHERE_SWITCHED_OFF)) {
        last = Math.max(last, ...page.map((each) => wholeOf(objectOf(each)["number"])));
        break;
      }
    }
    return { issues: last, pulls: undefined };
  }

  private async talk({ comments, hasReactions, number }: ForgeItem, kind: "issue" | "pull"): Promise<ForgeTalk> {
    return {
      reactions: hasReactions === false ? [] : await this.reactions(`/issues/${number}/reactions`, number),
      comments: comments === 0 ? [] : await this.commentsOf(number),
      reviews: kind === "pull" ? await this.reviewsOf(number) : [],
    };
  }

  private async commentsOf(number: number): Promise<ForgeComment[]> {
    const found: ForgeComment[] = [];
    for (const each of await allOf(this.client.pages(`/issues/${number}/comments`), number)) {
      const comment = objectOf(each);
      const hasReactions = wholeOf(objectOf(comment["reactions"])["total_count"]) > 0;
      const path = `/issues/comments/${wholeOf(comment["id"])}/reactions`;
      found.push(commentOf(comment, hasReactions ? await this.reactions(path, number) : []));
    }
    return found;
  }

  private async reactions(path: string, number: number): Promise<ForgeReaction[]> {
    return (await allOf(this.client.pages(path, { mayBeAbsent: true }), number)).map(reactionOf);
  }

  /** A reply on a line is a separate review there; here it belongs to that of the comment it replies to. */
  private async reviewsOf(number: number): Promise<ForgeReview[]> {
    const reviews = (await allOf(this.client.pages(`/pulls/${number}/reviews`), number)).map(objectOf);
    const comments = (await allOf(this.client.pages(`/pulls/${number}/comments`), number)).map(objectOf);
    const reviewIdOf = new Map<number, number>();
    for (const comment of comments) {
      const own = wholeOf(comment["pull_request_review_id"]);
      reviewIdOf.set(wholeOf(comment["id"]), reviewIdOf.get(wholeOf(comment["in_reply_to_id"])) ?? own);
    }
    const byReview = Map.groupBy(comments, (comment) => reviewIdOf.get(wholeOf(comment["id"])) ?? 0);
    return reviews.flatMap((review): ForgeReview[] => {
      const state = cutText(review["state"], 32);
      const kind = KINDS[state];
      const body = cutText(review["body"], MAX_TEXT);
      const own = (byReview.get(wholeOf(review["id"])) ?? []).map(codeCommentOf);
      const isEmpty = kind === "comment" && body === "" && own.length === 0;
      if (kind === undefined || isEmpty) return [];
      return [
        {
          kind,
          author: personOf(review["user"], "login"),
          body,
          commitId: oidOf(review["commit_id"]),
          isStale: undefined,
          isDismissed: state === "DISMISSED",
          ...timesOf(review["submitted_at"], review["submitted_at"]),
          comments: own,
        },
      ];
    });
  }
}

/** The list is absent if issues are disabled. */
const WHERE_SWITCHED_OFF = { mayBeAbsent: true };

/** The original verdict of a dismissed review is no longer available. */
const KINDS: Readonly<Record<string, ForgeReview["kind"]>> = {
  APPROVED: "approve",
  CHANGES_REQUESTED: "reject",
  DISMISSED: "reject",
  COMMENTED: "comment",
};

const branchOf = (head: Readonly<Record<string, unknown>>): string => refOf(head["ref"]);

/** For a line that no longer exists, its original position is used. */
function codeCommentOf(comment: Readonly<Record<string, unknown>>): ForgeCodeComment {
  const isOfFile = comment["subject_type"] === "file";
  const isOutdated = !isOfFile && comment["line"] == null;
  const side = comment["side"] === "LEFT" ? -1 : 1;
  const line = wholeOf(comment["line"]) || wholeOf(comment["original_line"]);
  const startLine = wholeOf(comment["start_line"]) || wholeOf(comment["original_start_line"]);
  return {
    author: personOf(comment["user"], "login"),
    body: cutText(comment["body"], MAX_TEXT),
    path: pathOf(comment["path"]),
    line: isOfFile ? 0 : side * line,
    startLine: isOfFile || startLine === 0 || startLine >= line ? 0 : side * startLine,
    commitId: oidOf(isOutdated ? comment["original_commit_id"] : comment["commit_id"]),
    hunk: hunkOf(comment["diff_hunk"]),
    isOutdated,
    resolvedBy: undefined,
    ...timesOf(comment["created_at"], comment["updated_at"]),
  };
}
