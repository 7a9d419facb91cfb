import { Type } from "@sinclair/typebox";
import type { Principal } from "../../access/principal.ts";
import { flag } from "../../http/query.ts";
import type { ParameterDoc } from "../../http/route.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Services } from "../../services.ts";
import { type CommitResource, commitResource } from "./resource.ts";
import type { ReadCommit } from "./service.ts";

/** Which parts of a commit a request wants. */
export interface WantedParts {
  readonly stat: boolean;
  readonly verification: boolean;
  readonly files: boolean;
}

export function wantedParts(query: URLSearchParams): WantedParts {
  return {
    stat: flag(query, "stat") ?? true,
    verification: flag(query, "verification") ?? true,
    files: flag(query, "files") ?? true,
  };
}

const part = (name: string, description: string): ParameterDoc => ({ name, description, schema: Type.Boolean() });
export const statParameter = part("stat", "Count changed lines; true unless said otherwise.");
export const verificationParameter = part("verification", "Tell of signatures; true unless said otherwise.");
export const filesParameter = part("files", "List touched files; true unless said otherwise.");

/** Commits with their accounts and changes: one look-up of people and one of changes for all. */
export async function describeCommits(
  { commits, history, links }: Pick<Services, "commits" | "history" | "links">,
  viewer: Principal,
  seen: SeenRepo,
  read: readonly ReadCommit[],
  wanted: WantedParts,
): Promise<CommitResource[]> {
  const people = commits.peopleOf(viewer, read);
  const needsChanges = wanted.stat || wanted.files;
  const changes = needsChanges
    ? await history.changesOf(
        seen,
        read.map(({ oid }) => oid),
      )
    : [];
  return read.map((commit, at) =>
    commitResource(
      seen,
      commit,
      people,
      {
        changes: changes[at],
        withFiles: wanted.files,
        withStats: wanted.stat,
        withVerification: wanted.verification,
      },
      viewer,
      links,
    ),
  );
}
