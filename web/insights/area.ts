import type { WebArea } from "../area.ts";
import { repoHref } from "../links.ts";
import { insightsWords } from "./words/index.ts";

export const insightsArea: WebArea = {
  name: "insights",
  routes: async () => (await import("./routes.tsx")).insightPages,
  repoTabs: [
    {
      id: "activity",
      label: insightsWords.label("activity"),
      icon: "pulse",
      order: 90,
      href: (repo) => repoHref(repo, "activity"),
      shown: (repo) => !repo.isEmpty,
    },
  ],
};
