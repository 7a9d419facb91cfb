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
      href: () => "/-/admin",
      shown: (viewer) => viewer?.isSiteAdmin === true,
    },
  ],
  adminPages: [
    { id: "overview", label: adminWords.label("overview"), icon: "home", order: 5, href: "/-/admin" },
    { id: "users", label: adminWords.label("users"), icon: "people", order: 10, href: "/-/admin/users" },
    { id: "emails", label: adminWords.label("emails"), icon: "mail", order: 15, href: "/-/admin/emails" },
    {
      id: "organizations",
      label: adminWords.label("organizations"),
      icon: "organization",
      order: 20,
      href: "/-/admin/orgs",
    },
    { id: "repositories", label: adminWords.label("repositories"), icon: "repo", order: 25, href: "/-/admin/repos" },
    { id: "badges", label: adminWords.label("badges"), icon: "tag", order: 30, href: "/-/admin/badges" },
    { id: "notices", label: adminWords.label("notices"), icon: "info", order: 75, href: "/-/admin/notices" },
    {
      id: "self-check",
      label: adminWords.label("selfCheck"),
      icon: "check-circle",
      order: 82,
      href: "/-/admin/self_check",
    },
    { id: "config", label: adminWords.label("configuration"), icon: "gear", order: 85, href: "/-/admin/config" },
    { id: "monitor", label: adminWords.label("monitor"), icon: "pulse", order: 81, href: "/-/admin/monitor/stats" },
    {
      id: "background",
      label: adminWords.label("background"),
      icon: "history",
      order: 80,
      href: "/-/admin/background",
    },
  ],
};
