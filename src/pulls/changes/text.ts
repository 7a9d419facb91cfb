import { patchAnswer } from "../../content/history/patch.ts";
import type { Oid } from "../../git/objects/types.ts";
import { flagParam, readQuery } from "../../http/query.ts";
import type { Call } from "../../http/route.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { Services } from "../../services.ts";
import { numberedFile } from "../call.ts";
import type { SeenPull } from "../types.ts";

/** Maximum commits in one patch. */
const MAX_COMMITS = 10_000;

export const pullTextParams = {
  binary: flagParam("With .diff: also include binary changes, so that git apply accepts them.", false),
};

/**
 * The change as a diff, or its commits as mails (contract pulls.md 5.6); undefined if the path asks for something else.
 */
export async function pullText(
  services: Pick<Services, "history" | "pool" | "pullChanges" | "pulls" | "storage">,
  call: Call,
): Promise<Response | undefined> {
  const file = numberedFile(call);
  if (!file) return undefined;
  const item = services.pulls.see(seenRepo(call), file.number);
  if (file.ending === "patch") return mails(services, item);
  const { from, to } = services.pullChanges.range(item);
  const { binary } = readQuery(pullTextParams, call);
  return patchAnswer(services, item.seen.repo, { kind: "diff", from, to, binary });
}

async function mails(
  services: Pick<Services, "history" | "pool" | "pullChanges" | "storage">,
  item: SeenPull,
): Promise<Response> {
  const range = services.pullChanges.commitRange(item);
  const wanted = { ...range, maxParents: 1, skip: 0, limit: MAX_COMMITS, count: false };
  const { oids } = await services.history.page(item.seen, wanted);
  const commits: readonly Oid[] = [...oids].reverse();
  return patchAnswer(services, item.seen.repo, { kind: "mails", commits });
}
