import type { WebArea } from "../area.ts";
import { organizationHref } from "../links.ts";
import { organizationAccountPage } from "./home-routes.tsx";
import { organizationsPanel } from "./panel.tsx";
import { organizationsTab } from "./profile-tab.tsx";
import { organizationWords } from "./words/index.ts";

export const organizationsArea: WebArea = {
  name: "organizations",
  routes: async () => (await import("./routes.tsx")).organizationPages,
  accountPages: [organizationAccountPage],
  dashboard: [organizationsPanel],
  profileTabs: [organizationsTab],
  organizationSettings: [
    {
      id: "profile",
      label: organizationWords.label("profile"),
      icon: "gear",
      order: 10,
      href: ({ name }) => organizationHref(name, "settings"),
    },
    {
      id: "blockedUsers",
      label: organizationWords.label("blockedUsers"),
      icon: "stop",
      order: 45,
      href: ({ name }) => organizationHref(name, "settings/blocked_users"),
    },
  ],
  userSettings: [
    {
      id: "organizations",
      label: organizationWords.label("organizations"),
      icon: "organization",
      order: 65,
      href: () => "/user/settings/organization",
    },
  ],
};
