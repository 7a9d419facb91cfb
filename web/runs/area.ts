import type { WebArea } from "../area.ts";
import { repoHref } from "../links.ts";
import { approvalNote } from "./approval.tsx";
import { runsWords } from "./words/index.ts";

/** The workflow runs of a repository: runs, jobs and logs. */
export const runsArea: WebArea = {
  name: "runs",
  isOn: (config) => config["actions.enabled"],
  routes: async () => (await import("./routes.tsx")).runPages,
  repoTabs: [
    {
      id: "actions",
      label: runsWords.label("actions"),
      icon: "play",
      order: 45,
      href: (repo) => repoHref(repo, "actions"),
      shown: ({ isEmpty, reads }) => !isEmpty && (reads?.includes("actions") ?? true),
      hotkey: "g a",
    },
  ],
  mergeNotes: [{ id: "approvals", order: 10, show: approvalNote }],
};
