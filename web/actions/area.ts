import type { WebArea } from "../area.ts";
import { organizationHref, repoHref } from "../links.ts";
import { actionsWords } from "./words/index.ts";

const section = { id: "actions", label: actionsWords.label("actions"), icon: "play" } as const;

/** Actions in the settings of repositories, organizations, accounts and the site. */
export const actionsArea: WebArea = {
  name: "actions",
  isOn: (config) => config["actions.enabled"],
  routes: async () => (await import("./routes.ts")).actionsPages,
  repoSettings: [
    {
      ...section,
      order: 67,
      href: (repo) => repoHref(repo, "settings/actions/general"),
      shown: ({ reads }) => reads === undefined || reads.includes("actions"),
    },
  ],
  organizationSettings: [
    { ...section, order: 55, href: ({ name }) => organizationHref(name, "settings/actions/general") },
  ],
  userSettings: [{ ...section, order: 50, href: () => "/user/settings/actions/general" }],
  adminPages: [{ ...section, order: 37, href: "/-/admin/actions/runners" }],
};
