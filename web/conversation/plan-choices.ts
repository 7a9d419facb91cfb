import { atLeast } from "../../src/access/levels.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import type { Form } from "../form-data.ts";
import { labelChoice } from "../labels/chip.tsx";
import { personOf } from "../people.ts";
import type { PlanChoices } from "./plan-fields.tsx";
import { sent } from "./sent.ts";

/** Values preselected in the form, by name or number. */
export interface Chosen {
  readonly labels: readonly number[];
  readonly assignees: readonly string[];
  readonly milestone: number;
  readonly projects: readonly number[];
}

const MAX_MILESTONES = 200;

/** The planning fields a new item's form offers; none for users who may not plan. */
export function planChoices(services: WebServices, seen: SeenRepo, chosen: Chosen, isPull: boolean): PlanChoices {
  if (!atLeast(services.issues.levelOn(seen, { isPull }), "write"))
    return { labels: [], assignees: [], milestones: [], projects: [] };
  const open = { state: "open", name: "", order: "closestduedate" } as const;
  return {
    labels: services.labels
      .allUsable(seen)
      .filter((each) => each.archivedAt === undefined)
      .map((each) => labelChoice(each, chosen.labels.includes(each.id))),
    assignees: [
      ...services.assignees.candidates(seen).map(personOf),
      ...services.assignees.candidateTeams(seen).map((name) => ({ name })),
    ].map((who) => ({ ...who, isChosen: chosen.assignees.includes(who.name) })),
    milestones: services.milestones
      .list(seen, open, { limit: MAX_MILESTONES, offset: 0 })
      .items.map(({ id, title }) => ({ id, title, isChosen: id === chosen.milestone })),
    projects: services.itemProjects
      .usable(seen)
      .map(({ id, title }) => ({ id, title, isChosen: chosen.projects.includes(id) })),
  };
}

/** The planning values a form submits; programs send ids as comma-separated lists (contract web.md 1.9). */
export function chosenIn({ identity }: Pick<WebServices, "identity">, form: Form): Chosen {
  const ids = (name: string) => idsIn(form.texts(name).join(","));
  return {
    labels: [...ids("labels"), ...ids("label_ids")],
    assignees: [
      ...sent(form, "assignees"),
      ...[...identity.byIds(ids("assignee_ids")).values()].map(({ login }) => login),
    ],
    milestone: form.number("milestone_id") ?? 0,
    projects: ids("project_ids"),
  };
}

/** `1,2` */
export function idsIn(text: string): number[] {
  return text.split(",").flatMap((part) => (/^\s*[1-9]\d{0,14}\s*$/.test(part) ? [Number(part)] : []));
}
