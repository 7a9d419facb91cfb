import type { WebArea } from "../area.ts";
import { organizationHref, repoHref, userHref } from "../links.ts";
import { packagesTab } from "./profile-tab.tsx";
import { packagesWords } from "./words/index.ts";

const section = { id: "packages", label: packagesWords.label("packages"), icon: "package" } as const;

export const packagesArea: WebArea = {
  name: "packages",
  isOn: (config) => config["packages.enabled"],
  routes: async () => {
    const [{ packagePages }, { cleanupPages }, { chefPages }, { terraformPages }] = await Promise.all([
      import("./routes.tsx"),
      import("./cleanup-routes.tsx"),
      import("./chef.tsx"),
      import("./terraform.tsx"),
    ]);
    return (services) => [
      ...packagePages(services),
      ...cleanupPages(services),
      ...chefPages(services),
      ...terraformPages(services),
    ];
  },
  repoTabs: [
    {
      id: "packages",
      label: packagesWords.label("packages"),
      icon: "package",
      order: 60,
      href: (repo) => repoHref(repo, "packages"),
      shown: ({ hasPackages, reads }) => hasPackages === true && (reads?.includes("packages") ?? true),
    },
  ],
  profileTabs: [packagesTab],
  organizationParts: [{ ...section, order: 10, href: ({ name }) => `${userHref(name)}/-/packages` }],
  userSettings: [{ ...section, order: 55, href: () => "/user/settings/packages" }],
  organizationSettings: [{ ...section, order: 50, href: ({ name }) => organizationHref(name, "settings/packages") }],
  adminPages: [{ ...section, order: 28, href: "/-/admin/packages" }],
};
