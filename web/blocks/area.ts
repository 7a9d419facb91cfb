import type { WebArea } from "../area.ts";
import { blockLink } from "./profile.tsx";
import { blocksWords } from "./words/index.ts";

export const blocksArea: WebArea = {
  name: "blocks",
  routes: async () => (await import("./routes.tsx")).blockPages,
  profileCard: [blockLink],
  userSettings: [
    {
      id: "blocked-users",
      label: blocksWords.label("blockedUsers"),
      icon: "stop",
      order: 38,
      href: () => "/user/settings/blocked_users",
    },
  ],
};
