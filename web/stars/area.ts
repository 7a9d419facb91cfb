import type { WebArea } from "../area.ts";
import { followButtons } from "./buttons.ts";
import { starsTab } from "./profile-tab.tsx";

export const starsArea: WebArea = {
  name: "stars",
  routes: async () => (await import("./routes.tsx")).followPages,
  repoActions: followButtons,
  profileTabs: [starsTab],
};
