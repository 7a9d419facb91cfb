import type { Call } from "../../src/http/route.ts";
import { mayEdit } from "../../src/issues/rights.ts";
import { headRepoOf } from "../../src/pulls/head-repo.ts";
import { isMerged, type SeenPull } from "../../src/pulls/types.ts";
import { isDraft } from "../../src/pulls/values.ts";
import type { WebServices } from "../area.ts";
import { itemActions } from "../conversation/entries.ts";
import { refHref } from "../links.ts";
import { absentPerson, personOf } from "../people.ts";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { shellOf } from "../visit.ts";
import type { PullHead } from "./head.tsx";

export const pullHref = ({ issue, seen }: SeenPull): string => homeOf(seen, `pulls/${issue.number}`);

/** The frame of every page of a pull request. */
export async function frameOf(services: WebServices, call: Call, item: SeenPull) {
  return {
    shell: shellOf(services, call),
    repo: await repoFrame(services, item.seen),
    pull: pullHead(services, item),
  };
}

/** What is above every page of a pull request. */
function pullHead(services: WebServices, item: SeenPull): PullHead {
  const { identity, pulls, repos } = services;
  const { issue, pull, seen } = item;
  const merged = isMerged(pull);
  const personId = merged ? pull.mergedById : issue.posterId;
  const person = personId === undefined ? undefined : identity.byId(personId);
  const head = headRepoOf(repos, item);
  const place = head && head.repo.id !== seen.repo.id ? `${head.owner.login}:` : "";
  const isThere = head !== undefined && pulls.headTip(pull) !== undefined;
  const href = (of: typeof seen, name: string) =>
    refHref({ owner: of.owner.login, name: of.repo.name }, "src", { kind: "branch", name });
  return {
    number: issue.number,
    title: issue.title,
    titleAction: !seen.repo.isArchived && mayEdit(item) ? itemActions(item, "/title") : undefined,
    targets: !seen.repo.isArchived && pull.isOpen && mayEdit(item) ? targetsOf(services, item) : undefined,
    mark: merged ? "merged" : issue.isClosed ? "closed" : isDraft(issue.title) ? "draft" : "open",
    person: person ? personOf(person) : absentPerson(merged ? { originalAuthor: pulls.mergerElsewhere(pull) } : issue),
    base: { name: pull.baseBranch, href: href(seen, pull.baseBranch) },
    head: { name: `${place}${pull.headBranch}`, href: isThere && head ? href(head, pull.headBranch) : undefined },
    counts: { comments: issue.comments, commits: pull.ahead, files: pull.changedFiles },
    href: pullHref(item),
  };
}

/** Maximum target branches suggested. */
const MAX_TARGETS = 100;

function targetsOf({ refs }: WebServices, { pull, seen }: SeenPull): string[] {
  const paging = { page: 1, limit: MAX_TARGETS, offset: 0 };
  return refs
    .page(seen.repo.id, "refs/heads/", "", paging)
    .items.map(({ name }) => name.slice("refs/heads/".length))
    .filter((name) => name !== pull.baseBranch && (name !== pull.headBranch || pull.headRepoId !== seen.repo.id));
}
