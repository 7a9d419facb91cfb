import type { WebArea } from "../area.ts";
import { repoHref } from "../links.ts";
import { mergingWords } from "./words/index.ts";

export const mergingArea: WebArea = {
  name: "merging",
  repoSettings: [
    {
      id: "pulls",
      label: mergingWords.label("pullRequests"),
      icon: "git-pull-request",
      order: 25,
      href: (repo) => repoHref(repo, "settings/pulls"),
    },
  ],
  routes: async () => (await import("./routes.tsx")).mergingPages,
};
