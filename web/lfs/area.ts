import type { WebArea } from "../area.ts";
import { repoHref } from "../links.ts";
import { lfsWords } from "./words/index.ts";

/** Large files in the settings of repositories. */
export const lfsArea: WebArea = {
  name: "lfs",
  routes: async () => (await import("./routes.tsx")).lfsPages,
  repoSettings: [
    {
      id: "lfs",
      label: lfsWords.label("largeFiles"),
      icon: "database",
      order: 64,
      href: (repo) => repoHref(repo, "settings/lfs"),
      shown: ({ hasLargeFiles, reads }) => hasLargeFiles !== false && (reads === undefined || reads.includes("code")),
    },
  ],
};
