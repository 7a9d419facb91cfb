import type { Access } from "../http/route.ts";

/**
 * Who may come in at the routes of labels. That issues or pull requests may be read or written, whichever, is decided by
 * `LabelService`: no single unit says it.
 */

const onLabels = (who: Access["who"], state?: "unarchived"): Access => ({
  who,
  subject: { kind: "repository", level: "read", ...(state ? { state } : {}) },
  scopes: ["issue"],
  publicOnly: "filtered",
});

export const readsLabels = onLabels("anyone");
export const changesLabels = onLabels("user", "unarchived");
