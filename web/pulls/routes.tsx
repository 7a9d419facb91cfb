import { readCode } from "../../src/content/access.ts";
import { redirect } from "../../src/http/respond.ts";
import { type Call, param, type Route } from "../../src/http/route.ts";
import { seenIssue } from "../../src/issues/item.ts";
import { NotFound, Redirected } from "../../src/kernel/errors.ts";
import { paging } from "../../src/kernel/paging.ts";
import { segment, segments } from "../../src/kernel/url-path.ts";
import { readsPulls } from "../../src/pulls/access.ts";
import { seenPull } from "../../src/pulls/call.ts";
import { pullText } from "../../src/pulls/changes/text.ts";
import type { SeenPull } from "../../src/pulls/types.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import { askedDiff } from "../content/asked-diff.tsx";
import { shownCommits } from "../content/shown-commits.ts";
import { itemHref } from "../conversation/entries.ts";
import { withQuery } from "../links.ts";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { shellOf, show } from "../visit.ts";
import { pullActions } from "./actions.ts";
import { ConversationPage } from "./conversation.tsx";
import { FilesPage, PullCommitsPage } from "./files.tsx";
import { createPull } from "./new-pull-routes.ts";
import { conversation, pullHead, pullHref } from "./shown.ts";

const PER_PAGE = 50;
const MAX_PAGES = 100_000;

/** Pages of pull requests (contract pulls.md 22). */
export function pullPages(services: WebServices): Route[] {
  const page = { method: "GET", surface: "page", access: readsPulls } as const;
  const path = "/:owner/:repo/pulls/:index";
  return [
    { ...page, path: "/:owner/:repo/pulls/new/*", access: readCode, handle: (call) => toComparison(services, call) },
    { ...page, path, handle: async (call) => (await pullText(services, call)) ?? talk(services, call) },
    { ...page, path: `${path}/commits`, handle: (call) => commits(services, call) },
    { ...page, path: `${path}/files`, handle: (call) => files(services, call) },
    ...createPull(services),
    ...pullActions(services),
  ];
}

/** `pulls/new/{branch}`: what a pull request of that branch would bring; of a fork's, to the repository it comes from. */
function toComparison({ forks }: WebServices, call: Call): Response {
  const seen = seenRepo(call);
  const branch = param(call, "*");
  const base = forks.baseOf(seen);
  const head = base ? `${segment(seen.owner.login)}:${segments(branch)}` : segments(branch);
  const to = base ?? seen;
  return redirect(`${homeOf(to, `compare/${segments(to.repo.defaultBranch)}...${head}`)}?expand=1`);
}

async function frameOf(services: WebServices, call: Call, item: SeenPull) {
  return {
    shell: shellOf(services, call),
    repo: await repoFrame(services, item.seen),
    pull: pullHead(services, item),
  };
}

/** @throws Redirected the number is an issue's */
async function talk(services: WebServices, call: Call): Promise<Response> {
  const found = seenIssue(call, services.issues);
  if (!found.issue.isPull) throw new Redirected(303, itemHref(found));
  const item = await services.pullChecks.settled(seenPull(call, services.pulls));
  const [frame, shown] = await Promise.all([frameOf(services, call, item), conversation(services, item)]);
  services.notifications.opened(item.seen.principal, item.issue.id);
  return show(call, <ConversationPage {...frame} {...shown} />);
}

async function commits(services: WebServices, call: Call): Promise<Response> {
  const item = seenPull(call, services.pulls);
  const sizes = { standard: PER_PAGE, largest: PER_PAGE };
  const slice = paging(call.query.get("page"), null, sizes);
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

async function files(services: WebServices, call: Call): Promise<Response> {
  const item = seenPull(call, services.pulls);
  const { from, to } = services.pullChanges.range(item);
  const diff = await askedDiff(services, call, `${pullHref(item)}/files`, (request) =>
    services.history.fileDiffs(item.seen, { from, to, ...request }),
  );
  if (diff instanceof Response) return diff;
  const { user } = item.seen.principal;
  const may = {
    review: user !== undefined && !item.seen.repo.isArchived,
    decide: user?.id !== item.issue.posterId && item.pull.isOpen,
  };
  return show(call, <FilesPage {...(await frameOf(services, call, item))} diff={diff} from={from} to={to} may={may} />);
}
