import type { Services } from "../../src/services.ts";
import { within } from "../within.ts";
import type { FindPushed } from "./activity-items.ts";

/** A feed waits this long for the commits of its pushes; what comes later is there the next time. */
const WAIT_MS = 150;

/** What pushes brought, as a feed shows it. */
export function pushedCommits({ pushedCommits: finder }: Pick<Services, "pushedCommits">): FindPushed {
  return async (seen, oldOid, newOid) => {
    const found = await within(finder.find(seen, oldOid, newOid), WAIT_MS);
    return (
      found && {
        ...found,
        commits: found.commits.map(({ oid, commit }) => ({ sha: oid, subject: subjectOf(commit.message) })),
      }
    );
  };
}

/** The first line of a message. */
export function subjectOf(message: string): string {
  const end = message.indexOf("\n");
  return (end < 0 ? message : message.slice(0, end)).slice(0, 250);
}
