import type { Call, Route } from "../../src/http/route.ts";
import { organizationOwner } from "../../src/organizations/access.ts";
import { seenOrganization } from "../../src/organizations/subject.ts";
import { durationText } from "../../src/time/duration.ts";
import { worktimeParts } from "../../src/time/types.ts";
import type { WebServices } from "../area.ts";
import { wordsFor } from "../language.ts";
import { repoHref, userHref } from "../links.ts";
import { organizationProps } from "../organizations/view.ts";
import { shellOf, show } from "../visit.ts";
import { timeWords } from "./words/index.ts";
import { WorktimePage } from "./worktime.tsx";

/** The hours worked in an organization, for its owners (contract web.md 1.5). */
export function worktimePages(services: WebServices): Route[] {
  return [
    {
      surface: "page",
      method: "GET",
      path: "/org/:org/worktime",
      access: organizationOwner,
      handle: (call) => worktime(services, call),
    },
  ];
}

const DAY_MS = 86_400_000;

function worktime(services: WebServices, call: Call): Response {
  const seen = seenOrganization(call);
  const { identity, repos, times } = services;
  const part = worktimeParts.find((each) => each === call.query.get("by")) ?? "repos";
  const now = new Date();
  // The current month to date by default.
  const from = dayOf(call.query.get("from")) ?? Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
  const to = dayOf(call.query.get("to")) ?? Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const found = times.worktime(seen, part, { since: from, before: to + DAY_MS });
  const repoIds = found.flatMap(({ repoId }) => repoId ?? []);
  const named = new Map(repos.seeEach(call.principal, repoIds).map((each) => [each.repo.id, each.repo.name]));
  const people = identity.byIds(found.flatMap(({ userId }) => userId ?? []));
  const t = wordsFor(call, timeWords);
  const rows = found.map(({ repoId, milestone, userId, seconds }) => {
    const duration = durationText(seconds);
    const person = userId === null ? undefined : people.get(userId);
    if (part === "members") return { name: person?.login, href: person && userHref(person.login), duration };
    const repo = named.get(repoId ?? 0);
    const href = repo && repoHref({ owner: seen.organization.login, name: repo });
    if (part === "repos") return { name: repo, href, duration };
    return { name: `${repo}: ${milestone ?? t("noMilestone")}`, href: href && `${href}/milestones`, duration };
  });
  const total = durationText(found.reduce((sum, { seconds }) => sum + seconds, 0));
  const view = (
    <WorktimePage
      shell={shellOf(services, call)}
      organization={organizationProps(seen)}
      from={textOf(from)}
      to={textOf(to)}
      part={part}
      rows={rows}
      total={total}
    />
  );
  return show(call, view);
}

/** The start of a day `YYYY-MM-DD`; undefined when it is invalid. */
function dayOf(text: string | null): number | undefined {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text ?? "") ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

const textOf = (day: number) => new Date(day).toISOString().slice(0, 10);
