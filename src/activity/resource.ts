import { type Static, Type } from "@sinclair/typebox";
import { text, time, whole, yesNo } from "../http/fields.ts";
import { UserResource, userResources } from "../identity/resource.ts";
import { CommentResource, commentResources } from "../issues/comments/resource.ts";
import { rfc3339 } from "../kernel/clock.ts";
import { RepoResource, repoResources } from "../repos/resource.ts";
import type { Services } from "../services.ts";
import { isMove, moveContent } from "./push-content.ts";
import type { Activity } from "./service.ts";

export const ActivityResource = Type.Object(
  {
    id: whole("Number of the entry."),
    user_id: whole("The account or organization whose feed it is."),
    op_type: text("What was done, such as create_repo, commit_repo or push_tag."),
    act_user_id: whole("The account that acted."),
    act_user: UserResource,
    repo_id: whole("The repository."),
    repo: RepoResource,
    comment_id: whole("The comment it is about; 0 if none."),
    comment: Type.Union([CommentResource, Type.Null()], { description: "The comment it is about; null if none." }),
    ref_name: text("The full name of the branch or tag; empty without one."),
    is_private: yesNo("Whether the repository is private."),
    content: text("Additional details: the former name of a repository, or the commits of a push as JSON."),
    created: time("When it happened."),
  },
  { $id: "Activity", description: "One entry of a feed." },
);
export const HeatMapResource = Type.Object(
  {
    timestamp: whole("Start of the quarter of an hour, in seconds since 1970."),
    contributions: whole("Number of actions in it."),
  },
  { $id: "UserHeatmapData", description: "Activity in a quarter of an hour." },
);

export type ActivityResource = Static<typeof ActivityResource>;

/** The API's name for each kind of entry; other kinds keep theirs. */
const operations: Readonly<Record<string, string>> = {
  push: "commit_repo",
  create_branch: "commit_repo",
  create_tag: "push_tag",
};

/**
 * Entries as the caller may see them, with counts of accounts and repositories read together.
 * @param feedId the account or organization whose feed it is; in a repository's, each entry has its actor's
 */
export async function activityResources(
  services: Services,
  call: { principal: Activity["seen"]["principal"] },
  feedId: number | undefined,
  items: readonly Activity[],
): Promise<ActivityResource[]> {
  const contents = await Promise.all(
    items.map(({ content, kind, refName, seen }) =>
      isMove(kind) ? moveContent(services.pushedCommits, seen, { kind, content, refName }) : content,
    ),
  );
  const people = new Map(items.map(({ principal }) => [principal.id, principal]));
  const seen = new Map(items.map(({ seen: each }) => [each.repo.id, each]));
  const users = new Map(userResources(services, call.principal, [...people.values()]).map((user) => [user.id, user]));
  const repos = new Map(repoResources(services, [...seen.values()]).map((repo) => [repo.id, repo]));
  const entries = services.timeline.byIds(items.flatMap(({ entryId }) => entryId ?? []));
  const told = services.comments.seeEach(call.principal, [...entries.values()]);
  const comments = new Map(commentResources(services, told).map((comment) => [comment.id, comment]));
  return items.flatMap((item, at) => {
    const [user, repo] = [users.get(item.principal.id), repos.get(item.seen.repo.id)];
    if (!user || !repo) return [];
    return [
      {
        id: item.id,
        user_id: feedId ?? user.id,
        op_type: operations[item.kind] ?? item.kind,
        act_user_id: user.id,
        act_user: user,
        repo_id: repo.id,
        repo,
        comment_id: item.entryId ?? 0,
        comment: comments.get(item.entryId ?? 0) ?? null,
        ref_name: item.refName,
        is_private: item.seen.repo.isPrivate,
        content: contents[at] ?? "",
        created: rfc3339(item.createdAt),
      },
    ];
  });
}
