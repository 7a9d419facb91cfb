import type { WebArea } from "../area.ts";
import { backgroundPages } from "./background-routes.tsx";
import { adminPages } from "./routes.tsx";
import { adminWords } from "./words/index.ts";

export const adminArea: WebArea = {
  routes: (services) => [...adminPages(services), ...backgroundPages(services)],
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
