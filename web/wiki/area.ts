import type { WebArea } from "../area.ts";
import { repoHref } from "../links.ts";
import { wikiHref } from "./addresses.ts";
import { wikiWords } from "./words/index.ts";

export const wikiArea: WebArea = {
  name: "wiki",
  routes: async () => (await import("./routes.tsx")).wikiPages,
  repoSettings: [
    {
      id: "wiki",
      label: wikiWords.label("wiki"),
      icon: "bookmark",
      order: 27,
      href: (repo) => repoHref(repo, "settings/wiki"),
    },
  ],
  repoTabs: [
    {
      id: "wiki",
      label: wikiWords.label("wiki"),
      icon: "bookmark",
      order: 55,
      href: (repo) => wikiHref(repo),
      shown: ({ reads }) => reads?.includes("wiki") ?? true,
      hotkey: "g w",
    },
  ],
};
