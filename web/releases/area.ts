import type { WebArea } from "../area.ts";
import { repoHref } from "../links.ts";
import { releasesWords } from "./words/index.ts";

export const releasesArea: WebArea = {
  name: "releases",
  routes: async () => (await import("./routes.tsx")).releasePages,
  repoTabs: [
    {
      id: "releases",
      label: releasesWords.label("releases"),
      icon: "package",
      order: 50,
      href: (repo) => repoHref(repo, "releases"),
      shown: ({ reads }) => reads?.includes("releases") ?? true,
      count: (repo) => repo.counts.releases,
      hotkey: "g r",
    },
  ],
};
