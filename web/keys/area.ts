import type { WebArea } from "../area.ts";
import { repoHref } from "../links.ts";
import { keysWords } from "./words/index.ts";

export const keysArea: WebArea = {
  name: "keys",
  routes: async () => (await import("./routes.ts")).keyPages,
  userSettings: [
    { id: "keys", label: keysWords.label("keys"), icon: "key", order: 45, href: () => "/user/settings/keys" },
  ],
  repoSettings: [
    {
      id: "keys",
      label: keysWords.label("deployKeys"),
      icon: "key",
      order: 60,
      href: (repo) => repoHref(repo, "settings/keys"),
    },
  ],
};
