import { mayAdminister, mayWrite } from "../../src/issues/rights.ts";
import type { SeenIssue } from "../../src/issues/types.ts";
import type { WebServices } from "../area.ts";
import { labelChoice, shownLabel } from "../labels/chip.tsx";
import { personOf } from "../people.ts";
import { itemProjectsProps } from "../projects/item-part.tsx";
import { itemTimesProps } from "../time/item-part.tsx";
import { homeOfItem, itemActions, itemHref, linkedItem } from "./entries.ts";
import type { SidebarProps } from "./sidebar.tsx";

const MAX_PARTICIPANTS = 30;
const MAX_CHOICES = 200;
const MAX_DEPENDENCIES = 50;

/** The sidebar of an item, limited to what the viewer may see and change. */
export function sidebarOf(services: WebServices, item: SeenIssue): SidebarProps {
  const { assignees, clock, dependencies, identity, itemWatches, labelling, labels, milestones, timeline } = services;
  const { issue, seen } = item;
  const isOpen = !seen.repo.isArchived;
  const plan = isOpen && mayWrite(item);
  const chosen = labelling.of(item);
  const labelIds = new Set(chosen.map(({ id }) => id));
  const assigned = assignees.idsOf(item);
  const participants = timeline.participants(item, MAX_PARTICIPANTS);
  const poster = issue.posterId === undefined ? [] : [issue.posterId];
  const involved = [...new Set([...poster, ...participants])];
  const people = identity.byIds([...assigned, ...involved]);
  const listed = (ids: readonly number[]) =>
    ids.flatMap((id) => {
      const user = people.get(id);
      return user ? [personOf(user)] : [];
    });
  const milestone = issue.milestoneId === undefined ? undefined : milestones.find(seen, issue.milestoneId);
  const all = { limit: MAX_DEPENDENCIES, offset: 0 };
  const hasDependencies = dependencies.isOn(seen);
  const labelChoices = plan
    ? labels.allUsable(seen).filter((each) => each.archivedAt === undefined || labelIds.has(each.id))
    : [];
  const candidates = plan ? assignees.candidates(seen) : [];
  const missing = assigned.flatMap((id) => {
    const user = people.get(id);
    return user && !candidates.some((each) => each.id === id) ? [user] : [];
  });
  return {
    actions: itemActions(item),
    number: issue.number,
    reference: `${seen.owner.login}/${seen.repo.name}#${issue.number}`,
    isPull: issue.isPull,
    labels: chosen.map(shownLabel),
    labelChoices: labelChoices.slice(0, MAX_CHOICES).map((each) => labelChoice(each, labelIds.has(each.id))),
    assignees: listed(assigned),
    assigneeChoices: [
      ...[...missing, ...candidates]
        .slice(0, MAX_CHOICES)
        .map((user) => ({ ...personOf(user), isChosen: assigned.includes(user.id) })),
      ...(plan ? assignees.candidateTeams(seen) : []).map((name) => ({ name, isChosen: false })),
    ],
    milestone: milestone && {
      title: milestone.title,
      href: homeOfItem(item, `milestone/${milestone.id}`),
      done: milestone.closedItems,
      all: milestone.openItems + milestone.closedItems,
    },
    milestoneChoices: plan
      ? milestones
          .list(seen, { state: "open", name: "", order: "closestduedate" }, { limit: MAX_CHOICES, offset: 0 })
          .items.map(({ id, title }) => ({ id, title, isChosen: id === milestone?.id }))
      : [],
    dueDay: issue.dueAt === undefined ? "" : new Date(issue.dueAt).toISOString().slice(0, 10),
    isOverdue: !issue.isClosed && issue.dueAt !== undefined && issue.dueAt < clock(),
    projects:
      seen.access.on("projects") === "none" ? undefined : itemProjectsProps(services, item, itemHref(item), plan),
    times: itemTimesProps(services, item),
    blockers: hasDependencies
      ? dependencies
          .blockersOf(item, all)
          .items.map((other) => (other === "hidden" ? undefined : linkedItem(item, other)))
      : [],
    blocked: hasDependencies ? dependencies.blockedBy(item, all).items.map((other) => linkedItem(item, other)) : [],
    hasDependencies,
    participants: listed(involved),
    isWatching: seen.principal.user !== undefined && itemWatches.isWatching(item),
    isLocked: issue.isLocked,
    isPinned: issue.pinOrder > 0,
    binDays: services.config["issues.bin_days"],
    may: {
      plan,
      watch: seen.principal.user !== undefined,
      lock: plan,
      administer: isOpen && mayAdminister(item),
    },
  };
}
