import type { WebArea } from "../area.ts";
import { repoHref } from "../links.ts";
import { protectionsWords } from "./words/index.ts";

export const protectionsArea: WebArea = {
  name: "protections",
  routes: async () => (await import("./routes.ts")).protectionPages,
  repoSettings: [
    {
      id: "branches",
      label: protectionsWords.label("branches"),
      icon: "git-branch",
      order: 30,
      href: (repo) => repoHref(repo, "settings/branches"),
    },
    {
      id: "tags",
      label: protectionsWords.label("tags"),
      icon: "tag",
      order: 40,
      href: (repo) => repoHref(repo, "settings/tags"),
    },
  ],
};
