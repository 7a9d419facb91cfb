import type { WebArea } from "../area.ts";

export const twoFactorArea: WebArea = {
  name: "two-factor",
  routes: async () => (await import("./routes.ts")).twoFactorPages,
  adminAccountCards: [
    {
      id: "two-factor",
      order: 10,
      show: async (services, call, user) => (await import("./admin-routes.tsx")).removalCard(services, call, user),
    },
  ],
  settingsPanels: [
    {
      id: "two-factor",
      section: "security",
      order: 10,
      show: async (services, call) => (await import("./settings-routes.tsx")).twoFactorCards(services, call),
    },
  ],
};
