import type { Access } from "../http/route.ts";

/** Who may come in at the routes of milestones; as with labels, `MilestoneService` decides whether one of the units will do. */

const onMilestones = (who: Access["who"], state?: "unarchived"): Access => ({
  who,
  subject: { kind: "repository", level: "read", ...(state ? { state } : {}) },
  scopes: ["issue"],
  publicOnly: "filtered",
});

export const readsMilestones = onMilestones("anyone");
export const changesMilestones = onMilestones("user", "unarchived");
