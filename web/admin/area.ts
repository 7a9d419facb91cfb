import type { WebArea } from "../area.ts";
import { adminPages } from "./routes.tsx";

export const adminArea: WebArea = {
  routes: adminPages,
  header: [
    {
      id: "admin",
      label: "Site administration",
      icon: "shield-lock",
      order: 90,
      place: "account",
      href: () => "/-/admin/users",
      shown: (viewer) => viewer?.isSiteAdmin === true,
    },
  ],
  adminPages: [{ id: "users", label: "Users", icon: "people", order: 10, href: "/-/admin/users" }],
};
