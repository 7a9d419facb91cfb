import type { WebArea } from "../area.ts";
import { auditWords } from "./words/index.ts";

export const auditArea: WebArea = {
  name: "audit",
  routes: async () => (await import("./routes.tsx")).auditPages,
  userSettings: [
    {
      id: "security-log",
      label: auditWords.label("securityLog"),
      icon: "history",
      order: 36,
      href: () => "/user/settings/security/log",
    },
  ],
  adminPages: [
    {
      id: "security-log",
      label: auditWords.label("securityLog"),
      icon: "shield-lock",
      order: 70,
      href: "/-/admin/security-log",
    },
  ],
};
