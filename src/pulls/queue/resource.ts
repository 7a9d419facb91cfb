import { type Static, Type } from "@sinclair/typebox";
import { text, time, whole } from "../../http/fields.ts";
import { rfc3339 } from "../../kernel/clock.ts";
import type { QueuePlace } from "./service.ts";
import { candidateRef } from "./types.ts";

/** An addition of ours: the contract knows no merge queue. */
export const MergeQueueEntryResource = Type.Object(
  {
    position: whole("Place in the queue; 1 is the next to be merged."),
    number: whole("Number of the pull request."),
    title: text("Title of the pull request."),
    base_branch: text("The branch it waits for."),
    do: text("How it will be merged: merge, rebase, rebase-merge or squash."),
    added_by: text("Name of the account that added it, and merges; empty when it is gone."),
    added_at: time("When it was added."),
    head_sha: text("The head that was added."),
    state: text(
      "waiting: its candidate is to be made; testing: checks are waited for; ready: they are good; failed: they are not.",
    ),
    candidate_sha: text("The commit that checks report on, and that becomes the tip of the branch; empty: none yet."),
    candidate_ref: text("The ref to fetch that commit by; empty: none yet."),
    onto_sha: text("What the candidate was made onto: the branch, or the candidate before it; empty: none yet."),
  },
  { $id: "MergeQueueEntry", description: "A pull request that waits for its turn to be merged." },
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
