import type { WebArea } from "../area.ts";
import { organizationHref } from "../links.ts";
import { applicationPanels } from "./panels.tsx";
import { oauth2Words } from "./words/index.ts";

export const oauth2Area: WebArea = {
  name: "oauth2",
  routes: async () => (await import("./routes.ts")).oauth2Pages,
  settingsPanels: applicationPanels,
  organizationSettings: [
    {
      id: "applications",
      label: oauth2Words.label("applications"),
      icon: "key",
      order: 40,
      href: ({ name }) => organizationHref(name, "settings/applications"),
    },
  ],
  adminPages: [
    {
      id: "applications",
      label: oauth2Words.label("applications"),
      icon: "key",
      order: 40,
      href: "/-/admin/applications",
    },
  ],
};
