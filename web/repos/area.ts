import type { WebArea } from "../area.ts";
import { repoHref } from "../links.ts";
import { createRepoPages } from "./create-routes.tsx";
import { repoSettingsPages } from "./settings-routes.tsx";

export const reposArea: WebArea = {
  routes: (services) => [...createRepoPages(services), ...repoSettingsPages(services)],
  header: [
    {
      id: "new-repository",
      label: "New repository",
      icon: "plus",
      order: 20,
      place: "end",
      hotkey: "g n",
      href: () => "/repo/create",
      shown: (viewer) => viewer !== null,
    },
  ],
  repoTabs: [
    {
      id: "settings",
      label: "Settings",
      icon: "gear",
      order: 900,
      href: (repo) => repoHref(repo, "settings"),
      shown: (repo) => repo.may.administer,
    },
  ],
  repoSettings: [
    { id: "general", label: "General", icon: "gear", order: 10, href: (repo) => repoHref(repo, "settings") },
    {
      id: "collaborators",
      label: "Collaborators",
      icon: "people",
      order: 20,
      href: (repo) => repoHref(repo, "settings/collaboration"),
    },
    {
      id: "branches",
      label: "Branches",
      icon: "git-branch",
      order: 30,
      href: (repo) => repoHref(repo, "settings/branches"),
    },
  ],
};
