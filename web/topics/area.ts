import type { WebArea } from "../area.ts";
import { repoHref } from "../links.ts";
import { topicsWords } from "./words/index.ts";

export const topicsArea: WebArea = {
  name: "topics",
  routes: async () => (await import("./routes.tsx")).topicPages,
  repoSettings: [
    {
      id: "topics",
      label: topicsWords.label("topics"),
      icon: "hash",
      order: 15,
      href: (repo) => repoHref(repo, "settings/topics"),
    },
  ],
};
