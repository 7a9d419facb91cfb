import type { Access } from "../http/route.ts";

/**
 * Who may use label routes. `LabelService` checks that either issues or pull requests may be read or written: no single
 * unit decides that.
 */

const onLabels = (who: Access["who"], state?: "unarchived"): Access => ({
  who,
  subject: { kind: "repository", level: "read", ...(state ? { state } : {}) },
  scopes: ["issue"],
  publicOnly: "filtered",
});

export const readsLabels = onLabels("anyone");
export const changesLabels = onLabels("user", "unarchived");
