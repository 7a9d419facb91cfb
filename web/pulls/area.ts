import type { WebArea } from "../area.ts";

export const pullsArea: WebArea = {
  name: "pulls",
  routes: async () => (await import("./routes.tsx")).pullPages,
  entryParts: [
    {
      id: "reviews",
      order: 10,
      kinds: ["pull_push", "review", "review_request"],
      show: async (of) => (await import("./entry-parts.tsx")).reviewEntries(of),
    },
  ],
  comparisons: [
    {
      id: "new-pull",
      order: 10,
      show: async (services, call, comparison) =>
        (await import("./new-pull.tsx")).newPullCard(services, call, comparison),
    },
  ],
};
