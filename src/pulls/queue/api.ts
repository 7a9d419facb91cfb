import { Type } from "@sinclair/typebox";
import { maybeText, maybeYesNo } from "../../http/fields.ts";
import { asks, textParam } from "../../http/query.ts";
import { created, json, noContent } from "../../http/respond.ts";
import { type Route, takes } from "../../http/route.ts";
import { ValidationFailed } from "../../kernel/errors.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { Services } from "../../services.ts";
import { changesPulls, readsPulls } from "../access.ts";
import { seenPull } from "../call.ts";
import { mergeStyles } from "../merge/types.ts";
import { MergeQueueEntryResource, mergeQueueEntryResource } from "./resource.ts";
import type { QueuePlace } from "./service.ts";

const repo = "/api/v1/repos/:owner/:repo";

const AddToQueueBody = Type.Object(
  {
    do: maybeText("merge, rebase, rebase-merge or squash; merge by default."),
    merge_title_field: maybeText("First paragraph of the commit message; the default one if empty."),
    merge_message_field: maybeText("The rest of the message."),
    head_commit_id: maybeText("The expected commit of the head."),
    delete_branch_after_merge: maybeYesNo(
      "Whether to delete the branch afterwards; by default as the repository is set.",
    ),
  },
  { $id: "AddToMergeQueueOption", description: "How to merge a pull request when its turn comes." },
);

/** The merge queue over REST, an addition of ours. */
export function queueRoutes({ identity, mergeQueue, pulls }: Services): Route[] {
  const params = { index: "Number of the pull request." };
  const resourceOf = (place: QueuePlace) => mergeQueueEntryResource(place, (id) => identity.byId(id)?.login);
  return [
    {
      method: "GET",
      surface: "api",
      path: `${repo}/merge_queue`,
      access: readsPulls,
      doc: {
        id: "repoListMergeQueue",
        tag: "repository",
        summary: "List the merge queue of a branch",
        answers: { 200: { description: "In merge order.", schema: Type.Array(MergeQueueEntryResource) } },
      },
      ...asks({ branch: textParam("The branch; the default branch by default.") }, (call, { branch }) => {
        const seen = seenRepo(call);
        return json(mergeQueue.list(seen, branch || seen.repo.defaultBranch).map(resourceOf));
      }),
    },
    {
      method: "POST",
      surface: "api",
      path: `${repo}/pulls/:index/queue`,
      access: changesPulls,
      doc: {
        id: "repoAddToMergeQueue",
        tag: "repository",
        summary: "Add a pull request to the merge queue",
        params,
        answers: {
          201: { description: "Added to the queue.", schema: MergeQueueEntryResource },
          404: { description: "There is no such pull request, or it is closed." },
          405: { description: "It cannot be merged, or not with this style, or its base branch has no queue." },
          409: { description: "It is already queued, its head is not the expected one, or the queue is full." },
          422: { description: "The merge style is unknown." },
        },
      },
      ...takes(AddToQueueBody, async (call, body) => {
        const style = mergeStyles.find((known) => known === (body.do || "merge"));
        if (!style) throw new ValidationFailed("pull.unknown-style", { field: "do" });
        const item = seenPull(call, pulls);
        await mergeQueue.add(item, {
          style,
          title: body.merge_title_field ?? "",
          message: body.merge_message_field ?? "",
          headCommitId: body.head_commit_id ?? "",
          deletesBranch: body.delete_branch_after_merge,
          commitId: "",
          isForced: false,
          isScheduled: false,
        });
        const place = mergeQueue.placeOf(item);
        // With no checks to wait for it may already be merged.
        return place ? created(resourceOf(place)) : new Response(null, { status: 201 });
      }),
    },
    {
      method: "DELETE",
      surface: "api",
      path: `${repo}/pulls/:index/queue`,
      access: changesPulls,
      doc: {
        id: "repoRemoveFromMergeQueue",
        tag: "repository",
        summary: "Remove a pull request from the merge queue",
        params,
        answers: {
          204: { description: "Cancelled." },
          403: { description: "The caller neither added nor created it, and may not merge." },
          404: { description: "It is not in the queue." },
        },
      },
      handle: (call) => {
        mergeQueue.remove(seenPull(call, pulls));
        return noContent();
      },
    },
  ];
}
