import { readCode } from "../../src/content/access.ts";
import type { NamedCommit } from "../../src/content/revisions/service.ts";
import type { WeekCount } from "../../src/git/contributors/contributors.ts";
import { json } from "../../src/http/respond.ts";
import { type Call, param, type Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import { avatarHref, userHref } from "../links.ts";
import { personOf } from "../people.ts";
import { repoFrame } from "../repos/frame.ts";
import { shellOf, show } from "../visit.ts";
import { within } from "../within.ts";
import { happened } from "./happened.tsx";
import { type AuthorItem, CodeFrequencyPage, ContributorsPage, PulsePage, RecentCommitsPage } from "./pages.tsx";
import { isPeriod, PERIODS, type Period } from "./periods.ts";

/** How long a page waits for the counts; after that it announces them and reloads. */
const WAIT_MS = 1_000;
const RELOAD_SECONDS = 3;
const SHOWN_AUTHORS = 16;
const YEAR_DAYS = 364;

/** Repository insights, in numbers and charts (contract web.md 1.10 and 2.13). */
export function insightPages(services: WebServices): Route[] {
  const page = { method: "GET", surface: "page", access: readCode } as const;
  const at = (sub: string) => `/:owner/:repo/${sub}`;
  return [
    { ...page, path: at("activity"), handle: (call) => pulse(services, call, "weekly") },
    { ...page, path: at("activity/contributors"), handle: (call) => contributors(services, call) },
    { ...page, path: at("activity/contributors/data"), handle: (call) => contributorsData(services, call) },
    { ...page, path: at("activity/code-frequency"), handle: (call) => codeFrequency(services, call) },
    { ...page, path: at("activity/code-frequency/data"), handle: (call) => weeksData(services, call, 0) },
    { ...page, path: at("activity/recent-commits"), handle: (call) => recentCommits(services, call) },
    { ...page, path: at("activity/recent-commits/data"), handle: (call) => weeksData(services, call, YEAR_DAYS) },
    { ...page, path: at("activity/:period"), handle: (call) => pulse(services, call, periodOf(call)) },
    {
      ...page,
      path: at("activity_author_data/:period"),
      handle: (call) => authorData(services, call, periodOf(call)),
    },
  ];
}

function periodOf(call: Call): Period {
  const period = param(call, "period");
  if (!isPeriod(period)) throw new NotFound();
  return period;
}

/** The default branch. @throws NotFound when there is none */
function headOf({ revisions }: WebServices, seen: SeenRepo): NamedCommit {
  const head = revisions.head(seen);
  if (!head) throw new NotFound();
  return head;
}

async function pulse(services: WebServices, call: Call, period: Period): Promise<Response> {
  const seen = seenRepo(call);
  const head = headOf(services, seen);
  const days = PERIODS[period];
  const [frame, recent, others] = await Promise.all([
    repoFrame(services, seen),
    services.insights.recent(seen, head.commit, days),
    happened(services, seen, days),
  ]);
  const { commits, merges, authorCount } = recent;
  return show(
    call,
    <PulsePage
      shell={shellOf(services, call)}
      repo={frame}
      period={period}
      commits={commits}
      merges={merges}
      authorCount={authorCount}
      authors={peopleOf(services, seen, recent.authors)}
      happened={others}
    />,
  );
}

/** Authors with their accounts, as far as the viewer may see those. */
function peopleOf<Author extends { readonly name: string; readonly email: string; readonly commits: number }>(
  services: WebServices,
  seen: SeenRepo,
  authors: readonly Author[],
): (AuthorItem & { readonly of: Author })[] {
  const emails = authors.map(({ email }) => email.toLowerCase());
  const people = services.commits.peopleBehind(seen.principal, [...new Set(emails)]);
  return authors.map((of) => {
    const user = people.get(of.email.toLowerCase());
    return { of, person: user ? personOf(user) : { name: of.name || of.email }, commits: of.commits };
  });
}

/** The counts, if they are ready in time; otherwise the page reloads. */
async function counted(services: WebServices, call: Call) {
  const seen = seenRepo(call);
  const head = headOf(services, seen);
  const work = services.insights.contributors(seen, head.commit);
  work.catch(() => {});
  const [frame, summary] = await Promise.all([repoFrame(services, seen), within(work, WAIT_MS)]);
  if (!summary) call.header("refresh", String(RELOAD_SECONDS));
  return { seen, frame, summary, head };
}

async function contributors(services: WebServices, call: Call): Promise<Response> {
  const { seen, frame, summary } = await counted(services, call);
  const shown = summary?.authors.slice(0, SHOWN_AUTHORS) ?? [];
  return show(
    call,
    <ContributorsPage
      shell={shellOf(services, call)}
      repo={frame}
      {...(summary ? { weeks: summary.weeks, authorCount: summary.authorCount } : {})}
      authors={peopleOf(services, seen, shown).map(({ of, ...item }) => ({
        ...item,
        additions: of.additions,
        deletions: of.deletions,
        weeks: of.weeks,
      }))}
      hasLines={summary?.hasLines ?? false}
    />,
  );
}

async function codeFrequency(services: WebServices, call: Call): Promise<Response> {
  const { frame, summary } = await counted(services, call);
  return show(
    call,
    <CodeFrequencyPage
      shell={shellOf(services, call)}
      repo={frame}
      hasLines={summary?.hasLines ?? true}
      {...(summary ? { weeks: summary.weeks } : {})}
    />,
  );
}

async function recentCommits(services: WebServices, call: Call): Promise<Response> {
  const { seen, frame, summary, head } = await counted(services, call);
  const { hours, commits } = await services.insights.recent(seen, head.commit, YEAR_DAYS);
  return show(
    call,
    <RecentCommitsPage
      shell={shellOf(services, call)}
      repo={frame}
      hours={hours}
      commits={commits}
      {...(summary ? { weeks: lastWeeks(summary.weeks, YEAR_DAYS) } : {})}
    />,
  );
}

function lastWeeks(weeks: readonly WeekCount[], days: number): WeekCount[] {
  const since = Date.now() / 1000 - days * 86_400;
  return weeks.filter(([start]) => start >= since);
}

const COMPUTING = 202;

/** A week in the format of the reference's scripts; times in milliseconds. */
function weekOf([start, commits, additions, deletions]: WeekCount) {
  return { week: start * 1000, additions, deletions, commits };
}

async function contributorsData(services: WebServices, call: Call): Promise<Response> {
  const { seen, summary } = await counted(services, call);
  if (!summary) return new Response(null, { status: COMPUTING });
  const weeksOf = (weeks: readonly WeekCount[]) =>
    Object.fromEntries(weeks.map((week) => [String(week[0] * 1000), weekOf(week)]));
  const total = {
    name: "Total",
    login: "",
    avatar_link: "",
    home_link: "",
    total_commits: summary.weeks.reduce((sum, [, commits]) => sum + commits, 0),
    weeks: weeksOf(summary.weeks),
  };
  const accounts = services.commits.peopleBehind(
    seen.principal,
    summary.authors.map(({ email }) => email.toLowerCase()),
  );
  const authors = summary.authors.map(({ name, email, commits, weeks }) => {
    const user = accounts.get(email.toLowerCase());
    const about = {
      name: user?.fullName || name,
      login: user?.login ?? "",
      avatar_link: user ? avatarHref(user) : "",
      home_link: user ? userHref(user.login) : "",
      total_commits: commits,
      weeks: weeksOf(weeks),
    };
    return [email.toLowerCase(), about] as const;
  });
  return json(Object.fromEntries([["total", total], ...authors]));
}

/** @param days only the weeks in this many last days; 0: all */
async function weeksData(services: WebServices, call: Call, days: number): Promise<Response> {
  const { summary } = await counted(services, call);
  if (!summary) return new Response(null, { status: COMPUTING });
  return json((days === 0 ? summary.weeks : lastWeeks(summary.weeks, days)).map(weekOf));
}

async function authorData(services: WebServices, call: Call, period: Period): Promise<Response> {
  const seen = seenRepo(call);
  const { authors } = await services.insights.recent(seen, headOf(services, seen).commit, PERIODS[period]);
  const accounts = services.commits.peopleBehind(
    seen.principal,
    authors.map(({ email }) => email.toLowerCase()),
  );
  return json(
    authors.map(({ name, email, commits }) => {
      const user = accounts.get(email.toLowerCase());
      return {
        name: user?.fullName || name,
        login: user?.login ?? "",
        avatar_link: user ? avatarHref(user) : "",
        home_link: user ? userHref(user.login) : "",
        commits,
      };
    }),
  );
}
