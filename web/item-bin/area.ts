import type { WebArea } from "../area.ts";
import { repoHref } from "../links.ts";
import { itemBinWords } from "./words/index.ts";

/** Deleted issues, pull requests and comments of a repository, and restoring them. */
export const itemBinArea: WebArea = {
  name: "item-bin",
  routes: async () => (await import("./routes.tsx")).itemBinPages,
  repoSettings: [
    {
      id: "deleted-issues",
      label: itemBinWords.label("deletedItems"),
      icon: "trash",
      order: 95,
      href: (repo) => repoHref(repo, "settings/deleted-issues"),
    },
  ],
};
