import type { WebArea } from "../area.ts";
import { repoHref } from "../links.ts";
import { projectsTab } from "./profile-tab.tsx";
import { projectsWords } from "./words/index.ts";

export const projectsArea: WebArea = {
  name: "projects",
  routes: async () => (await import("./routes.ts")).projectPages,
  repoTabs: [
    {
      id: "projects",
      label: projectsWords.label("projects"),
      icon: "project",
      order: 70,
      href: (repo) => repoHref(repo, "projects"),
      shown: ({ reads }) => reads?.includes("projects") ?? true,
    },
  ],
  profileTabs: [projectsTab],
};
