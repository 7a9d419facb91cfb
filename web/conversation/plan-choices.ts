import { atLeast } from "../../src/access/levels.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import type { Form } from "../form-data.ts";
import { shownLabel } from "../labels/chip.tsx";
import { personOf } from "../people.ts";
import type { PlanChoices } from "./plan-fields.tsx";
import { sent } from "./sent.ts";

/** What is planned from the start, by names and numbers. */
export interface Chosen {
  readonly labels: readonly number[];
  readonly assignees: readonly string[];
  readonly milestone: number;
}

const MAX_MILESTONES = 200;

/** What the form of a new item offers to plan; nothing to who may not. */
export function planChoices(services: WebServices, seen: SeenRepo, chosen: Chosen, isPull: boolean): PlanChoices {
  if (!atLeast(services.issues.levelOn(seen, { isPull }), "write"))
    return { labels: [], assignees: [], milestones: [] };
  const open = { state: "open", name: "", order: "closestduedate" } as const;
  return {
    labels: services.labels
      .allUsable(seen)
      .filter((each) => each.archivedAt === undefined)
      .map((each) => ({ ...shownLabel(each), isChosen: chosen.labels.includes(each.id) })),
    assignees: [
      ...services.assignees.candidates(seen).map(personOf),
      ...services.assignees.candidateTeams(seen).map((name) => ({ name })),
    ].map((who) => ({ ...who, isChosen: chosen.assignees.includes(who.name) })),
    milestones: services.milestones
      .list(seen, open, { limit: MAX_MILESTONES, offset: 0 })
      .items.map(({ id, title }) => ({ id, title, isChosen: id === chosen.milestone })),
  };
}

/** What of it a form says; label ids also as one list with commas. */
export function chosenIn(form: Form): Chosen {
  return {
    labels: sent(form, "labels")
      .concat(form.text("label_ids").split(","))
      .map(Number)
      .filter((id) => id > 0),
    assignees: sent(form, "assignees"),
    milestone: form.number("milestone_id") ?? 0,
  };
}
