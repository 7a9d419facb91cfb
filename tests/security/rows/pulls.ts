import type { Row } from "../route-table.ts";

const R = "/api/v1/repos/:owner/:repo";
const P = `${R}/pulls`;

const reads: Row = { surface: "api", who: "anyone", level: "read", scopes: ["repository"] };
/** Whoever reads the repository and has an account; what more it takes depends on the pull request. */
const asks: Row = { ...reads, who: "user" };
const changes: Row = { ...asks, notArchived: true };
const review = { at: "<review>" } as const;

const W = "/:owner/:repo";
const page: Row = { surface: "page", who: "anyone", level: "read" };
const administers: Row = { ...page, who: "user", level: "admin" };
const form: Row = { ...page, who: "user", notArchived: true };

/** Pull requests; `:index` is that of every sample repository, `:id` its review. */
export const pullRows: Readonly<Record<string, Row>> = {
  [`POST ${P}`]: changes,
  [`GET ${P}`]: reads,
  [`GET ${P}/pinned`]: reads,
  [`GET ${P}/:index`]: reads,
  [`PATCH ${P}/:index`]: changes,
  [`GET ${P}/:index/*`]: { ...reads, at: "work" },
  [`GET ${R}/commits/:sha/pull`]: { ...reads, at: "<commit>" },
  [`GET ${P}/:index/commits`]: reads,
  [`GET ${P}/:index/files`]: reads,
  [`POST ${P}/:index/merge`]: changes,
  [`GET ${P}/:index/merge`]: reads,
  [`DELETE ${P}/:index/merge`]: changes,
  [`POST ${P}/:index/update`]: asks,
  [`GET ${R}/merge_queue`]: reads,
  [`POST ${P}/:index/queue`]: changes,
  [`DELETE ${P}/:index/queue`]: changes,
  [`POST ${P}/:index/reviews`]: changes,
  [`GET ${P}/:index/reviews`]: reads,
  [`GET ${P}/:index/reviews/:id`]: { ...reads, ...review },
  [`POST ${P}/:index/reviews/:id`]: { ...changes, ...review },
  [`DELETE ${P}/:index/reviews/:id`]: { ...changes, ...review, harmful: true },
  [`POST ${P}/:index/reviews/:id/dismissals`]: { ...changes, ...review },
  [`POST ${P}/:index/reviews/:id/undismissals`]: { ...changes, ...review },
  [`POST ${P}/:index/reviews/:id/comments`]: { ...changes, ...review },
  [`GET ${P}/:index/reviews/:id/comments`]: { ...reads, ...review },
  [`GET ${P}/:index/reviews/:id/comments/:comment`]: { ...reads, ...review },
  [`DELETE ${P}/:index/reviews/:id/comments/:comment`]: { ...changes, ...review, harmful: true },
  [`POST ${P}/:index/comments/:id/replies`]: { ...changes, at: "<line>" },
  [`POST ${P}/comments/:id/resolve`]: { ...changes, at: "<line>" },
  [`POST ${P}/comments/:id/unresolve`]: { ...changes, at: "<line>" },
  [`POST ${P}/:index/requested_reviewers`]: asks,
  [`DELETE ${P}/:index/requested_reviewers`]: asks,
  [`GET ${R}/reviewers`]: asks,
  [`GET ${W}/settings/pulls`]: administers,
  [`POST ${W}/settings/pulls`]: { ...administers, harmful: true },
  [`GET ${W}/pulls/new/*`]: { ...page, at: "work" },
  [`GET ${W}/pulls/:index`]: page,
  [`GET ${W}/pulls/:index/commits`]: page,
  [`GET ${W}/pulls/:index/commits/list`]: page,
  [`GET ${W}/pulls/:index/files`]: page,
  [`GET ${W}/pulls/:index/merge_box`]: page,
  [`GET ${W}/pulls/:index/conflicts`]: page,
  [`POST ${W}/pulls/:index/conflicts`]: form,
  [`POST ${W}/pulls/:index/queue`]: form,
  [`POST ${W}/pulls/:index/unqueue`]: form,
  [`GET ${W}/merge_queue`]: page,
  [`GET ${W}/pulls/:index/files/range`]: page,
  [`GET ${W}/pulls/:index/files/reviews/new_comment`]: page,
  [`GET ${W}/pulls/:index/files/:range`]: { ...page, at: "<commit>..<commit>" },
  [`GET ${W}/pulls/:index/commits/:sha`]: { ...page, at: "<commit>" },
  [`GET ${W}/pulls/:index/range-diff/:range`]: { ...page, at: "<commit>..<commit>", harmful: true },
  [`POST ${W}/compare/*`]: { ...form, at: "main...dev" },
  [`POST ${W}/pulls/:index/merge`]: { ...form, harmful: true },
  [`POST ${W}/pulls/:index/cancel_auto_merge`]: form,
  [`POST ${W}/pulls/:index/update`]: form,
  [`POST ${W}/pulls/:index/cleanup`]: form,
  [`POST ${W}/pulls/:index/restore_branch`]: form,
  [`POST ${W}/issues/dismiss_review`]: { ...administers, notArchived: true },
  [`POST ${W}/pulls/:index/target_branch`]: form,
  [`POST ${W}/pull/:index/target_branch`]: form,
  [`POST ${W}/pulls/:index/set_allow_maintainer_edit`]: form,
  [`POST ${W}/pulls/:index/draft`]: { ...form, harmful: true },
  [`POST ${W}/pulls/:index/comments`]: form,
  [`POST ${W}/pulls/:index/replies`]: form,
  [`POST ${W}/issues/resolve_conversation`]: form,
  [`POST ${W}/issues/request_review`]: form,
  [`POST ${W}/pulls/:index/files/reviews/submit`]: form,
  [`POST ${W}/pulls/:index/files/reviews/comments`]: form,
  [`POST ${W}/pulls/:index/files/reviews/discard`]: form,
  [`POST ${W}/pulls/:index/suggestions`]: form,
  [`POST ${W}/issues/:index/viewed-files`]: { ...page, who: "user" },
  [`POST ${W}/pulls/:index/viewed-files`]: { ...page, who: "user" },
};
