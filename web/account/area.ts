import type { WebArea } from "../area.ts";
import { userHref } from "../links.ts";
import { cardBadges } from "./card-badges.tsx";
import { activityTab, repositoriesTab } from "./profile-tabs.tsx";
import { accountWords } from "./words/index.ts";

export const accountArea: WebArea = {
  name: "account",
  routes: async () => (await import("./routes.ts")).accountPages,
  header: [
    {
      id: "profile",
      label: accountWords.label("profile"),
      icon: "person",
      order: 10,
      place: "account",
      href: (viewer) => userHref(viewer?.name ?? ""),
    },
    {
      id: "settings",
      label: accountWords.label("settings"),
      icon: "gear",
      order: 20,
      place: "account",
      href: () => "/user/settings",
    },
  ],
  profileCard: [cardBadges],
  profileTabs: [repositoriesTab, activityTab],
  userSettings: [
    { id: "profile", label: accountWords.label("profile"), icon: "person", order: 10, href: () => "/user/settings" },
    {
      id: "account",
      label: accountWords.label("account"),
      icon: "mail",
      order: 20,
      href: () => "/user/settings/account",
    },
    {
      id: "appearance",
      label: accountWords.label("appearance"),
      icon: "sun",
      order: 30,
      href: () => "/user/settings/appearance",
    },
    {
      id: "applications",
      label: accountWords.label("applications"),
      icon: "key",
      order: 40,
      href: () => "/user/settings/applications",
    },
    {
      id: "security",
      label: accountWords.label("security"),
      icon: "shield-lock",
      order: 35,
      href: () => "/user/settings/security",
    },
    {
      id: "repositories",
      label: accountWords.label("repositories"),
      icon: "repo",
      order: 70,
      href: () => "/user/settings/repos",
    },
  ],
};
