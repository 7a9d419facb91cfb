import type { SignInLink, WebArea } from "../area.ts";
import { providerHref } from "./hrefs.ts";
import { sourceWords } from "./words/index.ts";

export const sourcesArea: WebArea = {
  name: "sources",
  routes: async () => (await import("./routes.ts")).sourcePages,
  signInWays: [
    {
      id: "providers",
      order: 10,
      links: (services, target): SignInLink[] =>
        services.sources.providers().map(({ name, settings: { iconUrl } }) => ({
          name,
          href: providerHref(name, target),
          ...(iconUrl === "" ? {} : { icon: iconUrl }),
        })),
    },
  ],
  settingsPanels: [
    {
      id: "outside-accounts",
      section: "security",
      order: 30,
      show: async (services, call) => (await import("./linked-routes.tsx")).linkedCard(services, call),
    },
  ],
  adminAccountCards: [
    {
      id: "source",
      order: 5,
      show: async (services, call, user) => (await import("./assign-routes.tsx")).assignCard(services, call, user),
    },
  ],
  adminPages: [
    { id: "sources", label: sourceWords.label("sources"), icon: "sign-in", order: 35, href: "/-/admin/auths" },
  ],
};
