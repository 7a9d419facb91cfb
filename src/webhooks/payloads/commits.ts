import { payloadCommitResource } from "../../content/commits/resource.ts";
import type { ReadCommit } from "../../content/commits/service.ts";
import type { Verification } from "../../keys/verification/service.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Services } from "../../services.ts";
import { hookEyes } from "./common.ts";

/** Commits in payloads, with their changed files and without signatures. */
export async function pushedCommitPayloads(services: Services, seen: SeenRepo, commits: readonly ReadCommit[]) {
  const { commits: reader, history, links } = services;
  const people = reader.peopleOf(hookEyes, commits);
  const changes = await history.changesOf(
    seen,
    commits.map(({ oid }) => oid),
  );
  return commits.map((commit, at) => {
    const files = changes[at]?.files ?? [];
    const paths = (status: "added" | "removed" | "modified") =>
      files.filter((file) => file.status === status).map(({ path }) => path);
    return {
      ...payloadCommitResource(seen, commit, people, undefined, links),
      verification: null,
      added: paths("added"),
      removed: paths("removed"),
      modified: paths("modified"),
    };
  });
}

/** The single commit of a test. */
export function testCommitPayload(
  services: Services,
  seen: SeenRepo,
  commit: ReadCommit,
  verification: Verification | undefined,
) {
  const people = services.commits.peopleOf(hookEyes, [commit]);
  return payloadCommitResource(seen, commit, people, verification, services.links);
}

/** The commit that an object is, or that a tag points to. */
export function commitAt(
  { commits, files }: Pick<Services, "commits" | "files">,
  seen: SeenRepo,
  oid: string,
): ReadCommit | undefined {
  let at = oid;
  // Longer chains of tags are not serious.
  for (let step = 0; step < 5; step++) {
    const type = files.header(seen, at)?.type;
    if (type === "commit") return commits.read(seen, at);
    const target = type === "tag" ? commits.readTag(seen, at)?.tag.object : undefined;
    if (target === undefined) return undefined;
    at = target;
  }
  return undefined;
}
