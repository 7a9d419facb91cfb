import type { WebArea } from "../area.ts";
import { repoHref } from "../links.ts";
import { reposWords } from "./words/index.ts";

export const reposArea: WebArea = {
  name: "repos",
  routes: async () => (await import("./routes.ts")).repoPages,
  header: [
    {
      id: "new-repository",
      label: reposWords.label("newRepository"),
      icon: "plus",
      order: 20,
      place: "end",
      hotkey: "g r",
      href: () => "/repo/create",
      shown: (viewer) => viewer !== null,
    },
  ],
  adminPages: [
    {
      id: "deleted-repositories",
      label: reposWords.label("deletedRepositories"),
      icon: "trash",
      order: 26,
      href: "/-/admin/repos/deleted",
    },
    { id: "adoption", label: reposWords.label("adoption"), icon: "repo", order: 27, href: "/-/admin/repos/unadopted" },
  ],
  userSettings: [
    {
      id: "deleted-repositories",
      label: reposWords.label("deletedRepositories"),
      icon: "trash",
      order: 72,
      href: () => "/user/settings/repos/deleted",
    },
  ],
  repoTabs: [
    {
      id: "settings",
      label: reposWords.label("settings"),
      icon: "gear",
      order: 900,
      href: (repo) => repoHref(repo, "settings"),
      shown: (repo) => repo.may.administer,
    },
  ],
  repoSettings: [
    {
      id: "general",
      label: reposWords.label("general"),
      icon: "gear",
      order: 10,
      href: (repo) => repoHref(repo, "settings"),
    },
    {
      id: "public-access",
      label: reposWords.label("publicAccess"),
      icon: "eye",
      order: 15,
      href: (repo) => repoHref(repo, "settings/public_access"),
    },
    {
      id: "collaborators",
      label: reposWords.label("collaborators"),
      icon: "people",
      order: 20,
      href: (repo) => repoHref(repo, "settings/collaboration"),
    },
  ],
};
