import type { WebArea } from "../area.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import { refHref, repoHref } from "../links.ts";
import { overviewTab } from "./profile-tab.tsx";
import { contentWords } from "./words/index.ts";

const hasCode = ({ reads }: RepoFrameProps) => reads?.includes("code") ?? true;
const hasContent = (repo: RepoFrameProps) => hasCode(repo) && !repo.isEmpty;

export const contentArea: WebArea = {
  name: "content",
  routes: async () => (await import("./routes.ts")).contentPages,
  profileTabs: [overviewTab],
  repoTabs: [
    {
      id: "code",
      label: contentWords.label("code"),
      icon: "code",
      order: 10,
      href: (repo) => repoHref(repo),
      shown: hasCode,
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
      isSpare: true,
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
      isSpare: true,
    },
  ],
};
