import type { WebArea } from "../area.ts";
import { organizationAccountPage } from "./home-routes.tsx";
import { organizationsPanel } from "./panel.tsx";
import { organizationWords } from "./words/index.ts";

export const organizationsArea: WebArea = {
  name: "organizations",
  routes: async () => (await import("./routes.tsx")).organizationPages,
  accountPages: [organizationAccountPage],
  dashboard: [organizationsPanel],
  userSettings: [
    {
      id: "organizations",
      label: organizationWords.label("organizations"),
      icon: "organization",
      order: 60,
      href: () => "/user/settings/organization",
    },
  ],
};
