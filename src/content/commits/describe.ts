import { flagParam, type ValuesOf } from "../../http/query.ts";
import { type UserResource, userResources } from "../../identity/resource.ts";
import type { Verification } from "../../keys/verification/service.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Services } from "../../services.ts";
import { type CommitResource, commitResource } from "./resource.ts";
import type { ReadCommit } from "./service.ts";
import { signedCommit } from "./signed.ts";

/** The parts of a commit a request asks for, if its changed lines are always counted. */
export const partsBesideStat = {
  verification: flagParam("Include signature verification; true by default.", true),
  files: flagParam("Include changed files; true by default.", true),
};

/** The parts of a commit a request asks for. */
export const commitParts = {
  stat: flagParam("Include counts of changed lines; true by default.", true),
  ...partsBesideStat,
};
export type WantedParts = ValuesOf<typeof commitParts>;

/** Commits with their accounts and changes, with a single lookup of people and one of changes for all. */
export async function describeCommits(
  services: Pick<Services, "commits" | "history" | "identity" | "links" | "signatures">,
  seen: SeenRepo,
  read: readonly ReadCommit[],
  wanted: WantedParts,
): Promise<CommitResource[]> {
  const { history, links } = services;
  const accounts = accountsOf(services, seen, read);
  const needsChanges = wanted.stat || wanted.files;
  const changes = needsChanges
    ? await history.changesOf(
        seen,
        read.map(({ oid }) => oid),
      )
    : [];
  const verifications = wanted.verification ? await verify(services, seen, read) : undefined;
  return read.map((commit, at) =>
    commitResource(
      seen,
      commit,
      accounts,
      {
        changes: changes[at],
        withFiles: wanted.files,
        withStats: wanted.stat,
        verification: verifications?.get(commit.oid),
      },
      links,
    ),
  );
}

/** Verifies the signatures of commits in one batch. */
export function verify(
  { signatures }: Pick<Services, "signatures">,
  { principal }: SeenRepo,
  read: readonly ReadCommit[],
): Promise<Map<string, Verification>> {
  return signatures.verify(principal, read.map(signedCommit));
}

/** The accounts behind many commits, by the addresses in them, looked up together. */
function accountsOf(
  services: Pick<Services, "commits" | "identity" | "links">,
  { principal }: SeenRepo,
  read: readonly ReadCommit[],
): ReadonlyMap<string, UserResource> {
  const people = services.commits.peopleOf(principal, read);
  const users = [...new Map([...people.values()].map((user) => [user.id, user])).values()];
  const shown = new Map(userResources(services, principal, users).map((resource) => [resource.id, resource]));
  return new Map(
    [...people].flatMap(([email, { id }]) => {
      const account = shown.get(id);
      return account ? [[email, account] as const] : [];
    }),
  );
}
