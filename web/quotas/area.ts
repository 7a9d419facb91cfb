import type { WebArea } from "../area.ts";
import { organizationHref } from "../links.ts";
import { QUOTAS } from "./admin-links.ts";
import { storageHref } from "./storage-links.ts";
import { quotaWords } from "./words/index.ts";

export const quotasArea: WebArea = {
  name: "quotas",
  routes: async () => (await import("./routes.tsx")).quotaPages,
  userSettings: [
    { id: "storage", label: quotaWords.label("storage"), icon: "database", order: 75, href: () => storageHref },
  ],
  organizationSettings: [
    {
      id: "storage",
      label: quotaWords.label("storage"),
      icon: "database",
      order: 60,
      href: ({ name }) => organizationHref(name, "settings/storage_overview"),
    },
  ],
  adminPages: [{ id: "quotas", label: quotaWords.label("quotas"), icon: "database", order: 27, href: QUOTAS }],
};
