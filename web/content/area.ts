import type { WebArea } from "../area.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import { refHref, repoHref } from "../links.ts";
import { blamePages } from "./blame-routes.tsx";
import { blobPages } from "./blob-routes.ts";
import { codePages } from "./code-routes.tsx";
import { commitPages } from "./commit-routes.tsx";
import { editPages } from "./edit-routes.tsx";
import { historyPages } from "./history-routes.tsx";
import { legacyPages, unknownRepoPages } from "./legacy-routes.ts";
import { livePages } from "./live-routes.ts";
import { refPages } from "./refs-routes.tsx";
import { Sources } from "./sources.ts";
import { treeListPages } from "./tree-list-routes.ts";
import { contentWords } from "./words/index.ts";

const hasContent = (repo: RepoFrameProps) => !repo.isEmpty;

export const contentArea: WebArea = {
  routes: (services) => {
    const sources = new Sources(services);
    return [
      ...codePages(sources),
      ...historyPages(sources),
      ...blamePages(sources),
      ...commitPages(sources),
      ...refPages(sources),
      ...editPages(sources),
      ...livePages(sources),
      ...blobPages(sources),
      ...unknownRepoPages(),
      ...treeListPages(sources),
      ...legacyPages(sources),
    ];
  },
  repoTabs: [
    {
      id: "code",
      label: contentWords.label("code"),
      icon: "code",
      order: 10,
      href: (repo) => repoHref(repo),
      hotkey: "g c",
    },
    {
      id: "commits",
      label: contentWords.label("commits"),
      icon: "history",
      order: 20,
      href: (repo) => refHref(repo, "commits", { kind: "branch", name: repo.defaultBranch }),
      shown: hasContent,
      count: (repo) => repo.counts.commits,
      hotkey: "g l",
    },
    {
      id: "branches",
      label: contentWords.label("branches"),
      icon: "git-branch",
      order: 30,
      href: (repo) => repoHref(repo, "branches"),
      shown: hasContent,
      count: (repo) => repo.counts.branches,
      hotkey: "g b",
    },
    {
      id: "tags",
      label: contentWords.label("tags"),
      icon: "tag",
      order: 40,
      href: (repo) => repoHref(repo, "tags"),
      shown: hasContent,
      count: (repo) => repo.counts.tags,
      hotkey: "g t",
    },
  ],
};
