import type { Access } from "../http/route.ts";

/**
 * Who may use milestone routes; as with labels, `MilestoneService` decides whether access to one of the units suffices.
 */

const onMilestones = (who: Access["who"], state?: "unarchived"): Access => ({
  who,
  subject: { kind: "repository", level: "read", ...(state ? { state } : {}) },
  scopes: ["issue"],
  publicOnly: "filtered",
});

export const readsMilestones = onMilestones("anyone");
export const changesMilestones = onMilestones("user", "unarchived");
