import { type Static, Type } from "@sinclair/typebox";
import { text, time, whole } from "../../http/fields.ts";
import { rfc3339 } from "../../kernel/clock.ts";
import type { QueuePlace } from "./service.ts";
import { candidateRef } from "./types.ts";

/** An addition of ours: the contract has no merge queue. */
export const MergeQueueEntryResource = Type.Object(
  {
    position: whole("Position in the queue; 1 is merged next."),
    number: whole("Number of the pull request."),
    title: text("Title of the pull request."),
    base_branch: text("The branch it will be merged into."),
    do: text("How it will be merged: merge, rebase, rebase-merge or squash."),
    added_by: text("Name of the account that added it and merges it; empty if that account was deleted."),
    added_at: time("When it was added."),
    head_sha: text("The head commit that was queued."),
    state: text("waiting (no candidate yet), testing (waiting for checks), ready (checks passed) or failed."),
    candidate_sha: text(
      "The candidate commit, which checks report on and which becomes the tip of the branch; empty if there is none yet.",
    ),
    candidate_ref: text("The ref to fetch that commit with; empty if there is none yet."),
    onto_sha: text("The base of the candidate: the branch, or the previous candidate; empty if there is none yet."),
  },
  { $id: "MergeQueueEntry", description: "A pull request in the merge queue." },
);

export function mergeQueueEntryResource(
  { entry, item, position, state }: QueuePlace,
  loginOf: (userId: number) => string | undefined,
): Static<typeof MergeQueueEntryResource> {
  const { candidate } = entry;
  return {
    position,
    number: item.issue.number,
    title: item.issue.title,
    base_branch: entry.branch,
    do: entry.style,
    added_by: loginOf(entry.userId) ?? "",
    added_at: rfc3339(entry.createdAt),
    head_sha: entry.headOid,
    state,
    candidate_sha: candidate?.oid ?? "",
    candidate_ref: candidate ? candidateRef(item.issue.number) : "",
    onto_sha: candidate?.onto ?? "",
  };
}
