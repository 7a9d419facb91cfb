import type { WebArea } from "../area.ts";

export const pullsArea: WebArea = {
  name: "pulls",
  routes: async () => (await import("./routes.tsx")).pullPages,
  comparisons: [
    {
      id: "new-pull",
      order: 10,
      show: async (services, call, comparison) =>
        (await import("./new-pull.tsx")).newPullCard(services, call, comparison),
    },
  ],
};
