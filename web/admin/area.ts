import type { WebArea } from "../area.ts";
import { adminPages } from "./routes.tsx";
import { adminWords } from "./words/index.ts";

export const adminArea: WebArea = {
  routes: adminPages,
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
  adminPages: [{ id: "users", label: adminWords.label("users"), icon: "people", order: 10, href: "/-/admin/users" }],
};
