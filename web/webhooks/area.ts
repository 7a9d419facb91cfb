import type { WebArea } from "../area.ts";
import { organizationHref, repoHref } from "../links.ts";
import { webhooksWords } from "./words/index.ts";

const section = { id: "hooks", label: webhooksWords.label("webhooks"), icon: "webhook" } as const;

/** Webhooks in the settings of repositories, organizations, accounts and the site. */
export const webhooksArea: WebArea = {
  name: "webhooks",
  routes: async () => (await import("./routes.tsx")).webhookPages,
  repoSettings: [{ ...section, order: 65, href: (repo) => repoHref(repo, "settings/hooks") }],
  organizationSettings: [{ ...section, order: 20, href: ({ name }) => organizationHref(name, "settings/hooks") }],
  userSettings: [{ ...section, order: 60, href: () => "/user/settings/hooks" }],
  adminPages: [{ ...section, order: 35, href: "/-/admin/hooks" }],
};
