import type { WebArea } from "../area.ts";
import { repoHref } from "../links.ts";
import { conversationWords } from "./words/index.ts";

/** The page of an issue or pull request with its conversation, and the form of a new one. */
export const conversationArea: WebArea = {
  name: "conversation",
  routes: async () => (await import("./routes.tsx")).conversationPages,
  repoSettings: [
    {
      id: "issues",
      label: conversationWords.label("issues"),
      icon: "issue-opened",
      order: 25,
      href: (repo) => repoHref(repo, "settings/issues"),
    },
  ],
};
