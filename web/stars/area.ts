import type { WebArea } from "../area.ts";
import { followButtons } from "./buttons.ts";
import { starsTab } from "./profile-tab.tsx";
import { followPages } from "./routes.tsx";

export const starsArea: WebArea = {
  routes: followPages,
  repoActions: followButtons,
  profileTabs: [starsTab],
};
