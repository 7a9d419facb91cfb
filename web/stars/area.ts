import type { WebArea } from "../area.ts";
import { userHref, withQuery } from "../links.ts";
import { followButtons } from "./buttons.ts";
import { starsTab } from "./profile-tab.tsx";
import { starsWords } from "./words/index.ts";

export const starsArea: WebArea = {
  name: "stars",
  routes: async () => (await import("./routes.tsx")).followPages,
  header: [
    {
      id: "stars",
      label: starsWords.label("stars"),
      icon: "star",
      order: 15,
      place: "account",
      href: (viewer) => withQuery(userHref(viewer?.name ?? ""), { tab: "stars" }),
    },
  ],
  repoActions: followButtons,
  profileTabs: [starsTab],
};
