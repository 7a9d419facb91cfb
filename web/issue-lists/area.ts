import type { WebArea } from "../area.ts";
import { repoHref } from "../links.ts";
import { ownItemsPanel } from "./panel.tsx";
import { issueListWords } from "./words/index.ts";

export const issueListsArea: WebArea = {
  name: "issue-lists",
  routes: async () => (await import("./routes.tsx")).itemListPages,
  header: [
    {
      id: "issues",
      label: issueListWords.label("issues"),
      icon: "issue-opened",
      order: 20,
      place: "start",
      hotkey: "g i",
      href: () => "/issues",
      shown: (viewer) => viewer !== null,
    },
    {
      id: "pulls",
      label: issueListWords.label("pulls"),
      icon: "git-pull-request",
      order: 30,
      place: "start",
      hotkey: "g p",
      href: () => "/pulls",
      shown: (viewer) => viewer !== null,
    },
    // On a phone, the account menu is the only way there.
    {
      id: "own-issues",
      label: issueListWords.label("issues"),
      icon: "issue-opened",
      order: 40,
      place: "account",
      href: () => "/issues",
    },
    {
      id: "own-pulls",
      label: issueListWords.label("pulls"),
      icon: "git-pull-request",
      order: 50,
      place: "account",
      href: () => "/pulls",
    },
  ],
  repoTabs: [
    {
      id: "issues",
      label: issueListWords.label("issues"),
      icon: "issue-opened",
      order: 12,
      href: (repo) => repoHref(repo, "issues"),
      shown: (repo) => repo.openItems.issues !== undefined,
      count: (repo) => repo.openItems.issues,
      hotkey: "g i",
    },
    {
      id: "pulls",
      label: issueListWords.label("pulls"),
      icon: "git-pull-request",
      order: 14,
      href: (repo) => repoHref(repo, "pulls"),
      shown: (repo) => repo.openItems.pulls !== undefined,
      count: (repo) => repo.openItems.pulls,
      hotkey: "g p",
    },
  ],
  dashboard: [ownItemsPanel],
};
