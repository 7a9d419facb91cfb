import { Tabs } from "../components/navigation.tsx";
import { useWords } from "../language.ts";
import { type RepoName, repoHref } from "../links.ts";
import { labelsWords } from "./words/index.ts";

/** Navigation between the related pages of issues, labels and milestones. */
export function PlanningNav({ repo, current }: { repo: RepoName; current: "issues" | "labels" | "milestones" }) {
  const t = useWords(labelsWords);
  const tab = (id: typeof current, icon: "issue-opened" | "tag" | "milestone") => ({
    label: t(id),
    icon,
    href: repoHref(repo, id),
    current: id === current,
  });
  return (
    <Tabs
      label={t("planning")}
      tabs={[tab("issues", "issue-opened"), tab("labels", "tag"), tab("milestones", "milestone")]}
    />
  );
}
