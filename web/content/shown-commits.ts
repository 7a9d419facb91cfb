import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import { commitSummary } from "./commit-items.ts";
import type { CommitSummary } from "./commit-line.tsx";
import { shownSignatures } from "./signature.tsx";

/** Commits as rows of a list, with their signatures. */
export async function shownCommits(
  services: WebServices,
  seen: SeenRepo,
  oids: readonly string[],
): Promise<CommitSummary[]> {
  const read = services.commits.readAll(seen, oids);
  const people = services.commits.peopleOf(seen.principal, read);
  const signatures = await shownSignatures(services, seen, read, people);
  const summaries = services.statuses.summaries(seen, oids);
  return read.map((entry) => {
    const signature = signatures.get(entry.oid);
    const checks = summaries.get(entry.oid);
    return { ...commitSummary(entry, people), ...(signature ? { signature } : {}), ...(checks ? { checks } : {}) };
  });
}
