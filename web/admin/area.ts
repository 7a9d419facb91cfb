import type { WebArea } from "../area.ts";
import { adminWords } from "./words/index.ts";

export const adminArea: WebArea = {
  name: "admin",
  routes: async () => (await import("./routes.tsx")).adminPages,
  header: [
    {
      id: "admin",
      label: adminWords.label("siteAdministration"),
      icon: "shield-lock",
      order: 90,
      place: "account",
      href: () => "/-/admin/users",
      shown: (viewer) => viewer?.isSiteAdmin === true,
    },
  ],
  adminPages: [
    { id: "users", label: adminWords.label("users"), icon: "people", order: 10, href: "/-/admin/users" },
    {
      id: "background",
      label: adminWords.label("background"),
      icon: "history",
      order: 80,
      href: "/-/admin/background",
    },
  ],
};
