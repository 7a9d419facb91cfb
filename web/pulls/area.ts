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
  fileNotes: [
    {
      id: "code-owners",
      order: 10,
      show: async (services, call, file) =>
        services.codeOwners.isOwnersFile(file.path)
          ? (await import("./owners-note.tsx")).ownersNote(services, call, file)
          : null,
    },
  ],
  homeNotes: [
    {
      id: "recent-branches",
      order: 10,
      show: async (services, seen) =>
        seen.principal.user ? (await import("./recent-branches.tsx")).recentBranchNotes(services, seen) : null,
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
