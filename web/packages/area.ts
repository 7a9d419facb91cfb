import type { WebArea } from "../area.ts";
import { repoHref } from "../links.ts";
import { packagesTab } from "./profile-tab.tsx";
import { packagesWords } from "./words/index.ts";

export const packagesArea: WebArea = {
  name: "packages",
  routes: async () => (await import("./routes.tsx")).packagePages,
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
  adminPages: [
    { id: "packages", label: packagesWords.label("packages"), icon: "package", order: 28, href: "/-/admin/packages" },
  ],
};
