import type { Call, Route } from "../../src/http/route.ts";
import { ghost } from "../../src/identity/system-users.ts";
import { readsPulls } from "../../src/pulls/access.ts";
import { seenPull } from "../../src/pulls/call.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import { personOf } from "../people.ts";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { shellOf, show, showPart } from "../visit.ts";
import { shownChecks } from "./checks.tsx";
import { conflictPages } from "./conflict-routes.tsx";
import { MergeCard } from "./merge-box.tsx";
import { mergeBox } from "./merge-box-data.ts";
import { QueuePage, type QueueRow } from "./queue.tsx";
import { pullSettingsPages } from "./settings-routes.tsx";

/** Pages about merging: the box under a conversation, conflicts, the merge queue. */
export function mergingPages(services: WebServices): Route[] {
  const reads = { method: "GET", surface: "page", access: readsPulls } as const;
  const path = "/:owner/:repo/pulls/:index";
  return [
    { ...reads, path: `${path}/merge_box`, handle: (call) => box(services, call) },
    { ...reads, path: "/:owner/:repo/merge_queue", handle: (call) => queue(services, call) },
    ...conflictPages(services),
    ...pullSettingsPages(services),
  ];
}

/** Only the box, to replace the one shown; empty once the pull request is closed or merged. */
async function box(services: WebServices, call: Call): Promise<Response> {
  const item = await services.pullChecks.settled(seenPull(call, services.pulls));
  if (!item.pull.isOpen) return showPart(call, <div id="merge-box" />);
  return showPart(call, <MergeCard box={await mergeBox(services, item)} />);
}

async function queue(services: WebServices, call: Call): Promise<Response> {
  const { identity, mergeConditions, mergeQueue } = services;
  const seen = seenRepo(call);
  const branch = call.query.get("branch") || seen.repo.defaultBranch;
  const places = mergeQueue.list(seen, branch);
  const { user } = seen.principal;
  const mayMerge = user !== undefined && mergeConditions.mayMerge(seen, branch);
  const rows = places.map(({ entry, item, position, state }): QueueRow => {
    const statuses = entry.candidate ? services.statuses.latest(seen, entry.candidate.oid) : [];
    return {
      position,
      number: item.issue.number,
      title: item.issue.title,
      href: homeOf(seen, `pulls/${item.issue.number}`),
      state,
      person: personOf(identity.byId(entry.userId) ?? ghost),
      at: entry.createdAt,
      candidate: entry.candidate?.oid,
      checks: shownChecks(statuses),
      mayRemove:
        !seen.repo.isArchived &&
        (mayMerge || (user !== undefined && (entry.userId === user.id || item.issue.posterId === user.id))),
    };
  });
  return show(
    call,
    <QueuePage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      branch={branch}
      branches={[...new Set([...mergeQueue.branches(seen), branch])]}
      rows={rows}
    />,
  );
}
