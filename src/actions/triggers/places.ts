import type { Oid } from "../../git/objects/types.ts";
import { BRANCHES, TAGS } from "../../git/refs/names.ts";
import { NotFound } from "../../kernel/errors.ts";
import { type Json, type JsonObject, objectOf } from "../../kernel/json.ts";
import { pullRef, type SeenPull } from "../../pulls/types.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Services } from "../../services.ts";
import { commitAt } from "../../webhooks/payloads/commits.ts";
import type { Occasion } from "./occasions.ts";

export type PlaceNeeds = Pick<Services, "commits" | "files" | "history" | "pulls" | "refs" | "revisions">;

/** Which files an event is about, and where its runs belong (contract actions.md 2.1). */
export interface Place {
  /** The run's ref. */
  readonly ref: string;
  readonly commit: Oid;
  /** The commit the workflows are read at. */
  readonly sourceCommit: Oid;
  /** What branch filters match; for a push, the full ref. */
  readonly filterRef: string | undefined;
  readonly pull: SeenPull | undefined;
  /** The changed range; `from` is undefined if nothing existed before. undefined: the event is about no files */
  change(): Promise<{ readonly from: Oid | undefined; readonly to: Oid } | undefined>;
}

const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const noChange = async () => undefined;
const isNothing = (oid: string) => oid === "" || /^0+$/.test(oid);

/** @param payload the webhook payload @returns undefined if what it is about is gone */
export function placeOf(needs: PlaceNeeds, seen: SeenRepo, occasion: Occasion, payload: JsonObject): Place | undefined {
  if (occasion.source === "default") {
    const place = defaultPlace(needs, seen);
    const branch = text(objectOf(payload["workflow_run"])["head_branch"]);
    return place && { ...place, filterRef: branch };
  }
  if (occasion.source === "ref") return refPlace(needs, seen, occasion, payload);
  return pullPlace(needs, seen, occasion, payload);
}

/** The tip of the default branch; undefined if there are no commits yet. */
export function defaultPlace({ refs }: Pick<PlaceNeeds, "refs">, { repo }: SeenRepo): Place | undefined {
  const ref = BRANCHES + repo.defaultBranch;
  const commit = refs.find(repo.id, ref)?.oid;
  if (commit === undefined) return undefined;
  return { ref, commit, sourceCommit: commit, filterRef: undefined, pull: undefined, change: noChange };
}

function refPlace(needs: PlaceNeeds, seen: SeenRepo, { event }: Occasion, payload: JsonObject): Place | undefined {
  const { oid, ref } = movedRef(needs, seen, event, payload);
  const commit = isNothing(oid) ? undefined : commitAt(needs, seen, oid)?.oid;
  if (commit === undefined) return undefined;
  const before = text(payload["before"]);
  const from = isNothing(before) ? undefined : before;
  const change = event === "push" ? async () => ({ from, to: commit }) : noChange;
  return { ref, commit, sourceCommit: commit, filterRef: ref, pull: undefined, change };
}

function movedRef(
  { refs }: PlaceNeeds,
  { repo }: SeenRepo,
  event: string,
  payload: JsonObject,
): { readonly ref: string; readonly oid: string } {
  if (event === "push") return { ref: text(payload["ref"]), oid: text(payload["after"]) };
  if (event === "create") {
    const ref = (payload["ref_type"] === "tag" ? TAGS : BRANCHES) + text(payload["ref"]);
    return { ref, oid: text(payload["sha"]) };
  }
  const ref = TAGS + text(objectOf(payload["release"])["tag_name"]);
  return { ref, oid: refs.find(repo.id, ref)?.oid ?? "" };
}

function pullPlace(needs: PlaceNeeds, seen: SeenRepo, occasion: Occasion, payload: JsonObject): Place | undefined {
  const pull = pullOf(needs, seen, payload);
  if (!pull) return undefined;
  const described = objectOf(payload["pull_request"]);
  const told = text(payload["after"]) || text(objectOf(described["head"])["sha"]);
  const commit = told !== "" && needs.files.header(seen, told) ? told : pull.pull.headOid;
  const baseTip = needs.pulls.baseTip(pull.pull);
  const sourceCommit = occasion.source === "base" ? baseTip : commit;
  if (sourceCommit === undefined) return undefined;
  const mergeBase = text(described["merge_base"]);
  const isReview = occasion.event.startsWith("pull_request_review");
  return {
    ref: isReview ? commit : pullRef(pull.pull),
    commit,
    sourceCommit,
    filterRef: pull.pull.baseBranch,
    pull,
    change: async () => {
      const from = mergeBase || (baseTip && (await needs.history.mergeBases(seen, baseTip, commit))[0]);
      return from ? { from, to: commit } : undefined;
    },
  };
}

function pullOf({ pulls }: PlaceNeeds, seen: SeenRepo, payload: JsonObject): SeenPull | undefined {
  const number = payload["number"] ?? objectOf(payload["issue"])["number"];
  if (typeof number !== "number") return undefined;
  try {
    return pulls.see(seen, number);
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
