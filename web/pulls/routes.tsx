import { readCode } from "../../src/content/access.ts";
import { redirect } from "../../src/http/respond.ts";
import { type Call, param, type Route } from "../../src/http/route.ts";
import { seenIssue } from "../../src/issues/item.ts";
import { NotFound, Redirected } from "../../src/kernel/errors.ts";
import { segment, segments } from "../../src/kernel/url-path.ts";
import { readsPulls } from "../../src/pulls/access.ts";
import { seenPull } from "../../src/pulls/call.ts";
import { pullText } from "../../src/pulls/changes/text.ts";
import { isMerged } from "../../src/pulls/types.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import { shownCommits } from "../content/shown-commits.ts";
import { askedConversation } from "../conversation/asked.ts";
import { itemHref } from "../conversation/entries.ts";
import { itemPage } from "../conversation/item-data.ts";
import { ConversationTexts } from "../conversation/texts.ts";
import { withQuery } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { mergeBox } from "../merging/merge-box-data.ts";
import { homeOf } from "../repos/frame.ts";
import { show } from "../visit.ts";
import { pullActions } from "./actions.ts";
import { ConversationPage } from "./conversation.tsx";
import { PullCommitsPage } from "./files.tsx";
import { filesPages } from "./files-routes.tsx";
import { createPull } from "./new-pull-routes.ts";
import { rangeDiffPages } from "./range-diff.tsx";
import { reviewActions } from "./review-actions.tsx";
import { reviewerRoutes } from "./reviewer-routes.ts";
import { reviewersOf } from "./reviewers.tsx";
import { frameOf, pullHref } from "./shown.ts";

const PER_PAGE = 50;
const MAX_PAGES = 100_000;

/** Pages of pull requests (contract pulls.md 22). */
export function pullPages(services: WebServices): Route[] {
  const page = { method: "GET", surface: "page", access: readsPulls } as const;
  const path = "/:owner/:repo/pulls/:index";
  const texts = new ConversationTexts(services);
  return [
    { ...page, path: "/:owner/:repo/pulls/new/*", access: readCode, handle: (call) => toComparison(services, call) },
    { ...page, path, handle: async (call) => (await pullText(services, call)) ?? talk(services, texts, call) },
    { ...page, path: `${path}/commits`, handle: (call) => commits(services, call) },
    ...filesPages(services, texts),
    ...rangeDiffPages(services),
    ...createPull(services),
    ...pullActions(services),
    ...reviewActions(services, texts),
    ...reviewerRoutes(services),
  ];
}

/**
 * `pulls/new/{branch}`: redirects to the comparison for a pull request of that branch; for a fork, against its parent.
 */
function toComparison({ forks }: WebServices, call: Call): Response {
  const seen = seenRepo(call);
  const branch = param(call, "*");
  const base = forks.baseOf(seen);
  const head = base ? `${segment(seen.owner.login)}:${segments(branch)}` : segments(branch);
  const to = base ?? seen;
  return redirect(`${homeOf(to, `compare/${segments(to.repo.defaultBranch)}...${head}`)}?expand=1`);
}

/** @throws Redirected when the number is an issue's */
async function talk(services: WebServices, texts: ConversationTexts, call: Call): Promise<Response> {
  const found = seenIssue(call, services.issues);
  if (!found.issue.isPull) throw new Redirected(303, itemHref(found));
  const item = await services.pullChecks.settled(seenPull(call, services.pulls));
  const { pull, seen } = item;
  const isReader = seen.principal.user !== undefined && !seen.repo.isArchived;
  const [frame, shown, box] = await Promise.all([
    frameOf(services, call, item),
    itemPage(services, texts, item, askedConversation(services, call, item)),
    pull.isOpen ? mergeBox(services, item) : undefined,
  ]);
  const mayRemoveBranch = isReader && !pull.isOpen && services.branchRemoval.removableFrom(item) !== undefined;
  const mayRestoreBranch = isReader && services.branchRemoval.restorableIn(item) !== undefined;
  const { comment } = shown;
  const view = {
    // A merged pull request cannot be reopened.
    item:
      isMerged(pull) && typeof comment !== "string" ? { ...shown, comment: { ...comment, state: undefined } } : shown,
    reviewers: reviewersOf(services, item),
    box,
    mayRemoveBranch,
    mayRestoreBranch,
    mayApply: services.suggestions.mayApply(item),
  };
  return show(call, <ConversationPage {...frame} {...view} />);
}

async function commits(services: WebServices, call: Call): Promise<Response> {
  const item = seenPull(call, services.pulls);
  const slice = pageOf(call, PER_PAGE);
  if (slice.page > MAX_PAGES) throw new NotFound();
  const { more, oids } = await services.pullChanges.commits(item, slice);
  const [frame, shown] = await Promise.all([frameOf(services, call, item), shownCommits(services, item.seen, oids)]);
  const here = `${pullHref(item)}/commits`;
  return show(
    call,
    <PullCommitsPage
      {...frame}
      commits={shown}
      {...(slice.page > 1 ? { newer: withQuery(here, { page: slice.page === 2 ? undefined : slice.page - 1 }) } : {})}
      {...(more ? { older: withQuery(here, { page: slice.page + 1 }) } : {})}
    />,
  );
}
