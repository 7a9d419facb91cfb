import type { WebArea } from "../area.ts";
import { followCard } from "./button.tsx";
import { followersTab, followingTab } from "./profile-tabs.tsx";

export const followsArea: WebArea = {
  name: "follows",
  routes: async () => (await import("./routes.tsx")).followPages,
  profileCard: [followCard],
  profileTabs: [followersTab, followingTab],
};
