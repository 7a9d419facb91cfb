import type { WebArea } from "../area.ts";
import { repoHref } from "../links.ts";
import { mirrorsWords } from "./words/index.ts";

/** Mirrors in the settings of repositories. */
export const mirrorsArea: WebArea = {
  name: "mirrors",
  routes: async () => (await import("./routes.ts")).mirrorPages,
  repoSettings: [
    {
      id: "mirrors",
      label: mirrorsWords.label("mirrors"),
      icon: "sync",
      order: 67,
      href: (repo) => repoHref(repo, "settings/mirrors"),
    },
  ],
};
