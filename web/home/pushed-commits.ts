import type { Services } from "../../src/services.ts";
import { within } from "../within.ts";
import type { FindPushed } from "./activity-items.ts";

/** How long a feed waits for the commits of its pushes; later ones are shown the next time. */
const WAIT_MS = 150;

/** The commits of pushes, as a feed shows them. */
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
