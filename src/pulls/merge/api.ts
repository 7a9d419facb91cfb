import { Type } from "@sinclair/typebox";
import { maybeText, maybeYesNo } from "../../http/fields.ts";
import { asks, textParam } from "../../http/query.ts";
import { json, noContent } from "../../http/respond.ts";
import { type Route, takes } from "../../http/route.ts";
import { NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { Services } from "../../services.ts";
import { asksPulls, changesPulls, readsPulls } from "../access.ts";
import { seenPull } from "../call.ts";
import { isMerged } from "../types.ts";
import { MergeConflict } from "./service.ts";
import { type MergeRequest, mergeStyles } from "./types.ts";

const path = "/api/v1/repos/:owner/:repo/pulls/:index";

/** Both spellings of a name: older clients send the second. */
const MergeBody = Type.Object(
  {
    do: maybeText("merge, rebase, rebase-merge, squash, fast-forward-only or manually-merged."),
    Do: maybeText("The same as do."),
    merge_title_field: maybeText("First paragraph of the commit message; the default one if empty."),
    MergeTitleField: maybeText("The same as merge_title_field."),
    merge_message_field: maybeText("The rest of the message."),
    MergeMessageField: maybeText("The same as merge_message_field."),
    merge_commit_id: maybeText("With manually-merged: full id of the base commit that is the merge."),
    MergeCommitID: maybeText("The same as merge_commit_id."),
    head_commit_id: maybeText("The expected commit of the head."),
    force_merge: maybeYesNo("Merge despite unmet branch protection conditions, if the caller is allowed to."),
    merge_when_checks_succeed: maybeYesNo("Merge as soon as all checks and conditions allow it, instead of now."),
    delete_branch_after_merge: maybeYesNo(
      "Whether to delete the branch afterwards; by default as the repository is set.",
    ),
  },
  { $id: "MergePullRequestOption", description: "How to merge a pull request." },
);

/** Merging pull requests over REST (contract pulls.md 5.9 to 5.12). */
export function mergeRoutes(services: Services): Route[] {
  const { branchUpdates, mergeSchedule, pullMerges, pulls } = services;
  const api = { surface: "api" } as const;
  const params = { index: "Number of the pull request." };
  const none = { 404: { description: "There is no such pull request, or the caller may not read it." } };
  return [
    {
      ...api,
      method: "POST",
      path: `${path}/merge`,
      access: changesPulls,
      doc: {
        id: "repoMergePullRequest",
        tag: "repository",
        summary: "Merge a pull request",
        params,
        answers: {
          200: { description: "Merged." },
          201: { description: "Scheduled; it will be merged as soon as it can be." },
          404: { description: "There is no such pull request, or it is closed." },
          405: { description: "It cannot be merged now, or not by the caller, or not with this style." },
          409: { description: "There are conflicts, the head is not the expected one, or the base moved." },
          422: { description: "The merge style is missing or unknown." },
        },
      },
      ...takes(
        MergeBody,
        async (call, body) => {
          const style = mergeStyles.find((known) => known === (body.do ?? body.Do));
          if (!body.do && !body.Do)
            throw new ValidationFailed("value.required", { field: "do", params: { name: "Do" } });
          if (!style) throw new ValidationFailed("pull.unknown-style", { field: "do" });
          const request: MergeRequest = {
            style,
            title: body.merge_title_field ?? body.MergeTitleField ?? "",
            message: body.merge_message_field ?? body.MergeMessageField ?? "",
            commitId: body.merge_commit_id ?? body.MergeCommitID ?? "",
            headCommitId: body.head_commit_id ?? "",
            isForced: body.force_merge ?? false,
            isScheduled: body.merge_when_checks_succeed ?? false,
            deletesBranch: body.delete_branch_after_merge,
          };
          try {
            const result = await pullMerges.merge(seenPull(call, pulls), request);
            return new Response(null, { status: result === "merged" ? 200 : 201 });
          } catch (error) {
            if (!(error instanceof MergeConflict)) throw error;
            return conflictAnswer(error);
          }
        },
        { before: (call) => seenPull(call, pulls) },
      ),
    },
    {
      ...api,
      method: "GET",
      path: `${path}/merge`,
      access: readsPulls,
      doc: {
        id: "repoPullRequestIsMerged",
        tag: "repository",
        summary: "Check whether a pull request is merged",
        params,
        answers: {
          204: { description: "It is merged." },
          404: { description: "It is not merged, or does not exist." },
        },
      },
      handle: (call) => {
        if (!isMerged(seenPull(call, pulls).pull)) throw new NotFound();
        return noContent();
      },
    },
    {
      ...api,
      method: "DELETE",
      path: `${path}/merge`,
      access: changesPulls,
      doc: {
        id: "repoCancelScheduledAutoMerge",
        tag: "repository",
        summary: "Cancel a scheduled merge",
        params,
        answers: {
          204: { description: "Cancelled." },
          403: { description: "The caller did not schedule it and may not merge." },
          404: { description: "There is no scheduled merge." },
        },
      },
      handle: (call) => {
        mergeSchedule.cancel(seenPull(call, pulls));
        return noContent();
      },
    },
    {
      ...api,
      method: "POST",
      path: `${path}/update`,
      access: asksPulls,
      doc: {
        id: "repoUpdatePullRequest",
        tag: "repository",
        summary: "Update the head branch of a pull request from its base",
        params,
        answers: {
          200: { description: "It is merged." },
          403: { description: "The caller is not allowed to, or the repository does not allow the style." },
          ...none,
          409: { description: "There are conflicts, or the branch moved." },
          422: { description: "The pull request is closed or merged." },
        },
      },
      ...asks({ style: textParam("merge or rebase; merge by default.") }, async (call, { style }) => {
        await branchUpdates.update(seenPull(call, pulls), style === "rebase" ? "rebase" : "merge");
        return new Response(null, { status: 200 });
      }),
    },
  ];
}

/** In the form Gitea clients expect, with the messages of other errors. */
function conflictAnswer({ commit, output, style }: MergeConflict): Response {
  const fields = { Style: style, StdOut: output, StdErr: "", Err: {} };
  const message = "merge failed because of conflict";
  return json({ message, ...fields, ...(commit === undefined ? {} : { CommitSHA: commit }) }, 409);
}
