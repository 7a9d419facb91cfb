import type { WebArea } from "../area.ts";
import { organizationHref, repoHref } from "../links.ts";
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
  userSettings: [{ ...section, order: 65, href: () => "/user/settings/packages" }],
  organizationSettings: [{ ...section, order: 55, href: ({ name }) => organizationHref(name, "settings/packages") }],
  adminPages: [{ ...section, order: 28, href: "/-/admin/packages" }],
};
