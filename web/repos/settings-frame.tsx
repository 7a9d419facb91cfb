import type { Children } from "../jsx/types.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import { SettingsFrame, type SettingsLink } from "../layout/settings-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { repoHref } from "../links.ts";

type Section = "general" | "collaborators" | "branches";

/** A page of a repository's settings. */
export function RepoSettings(props: {
  shell: Shell;
  repo: RepoFrameProps;
  section: Section;
  title: string;
  children: Children;
}) {
  const { repo, section } = props;
  const links: SettingsLink[] = [
    { label: "General", href: repoHref(repo, "settings"), icon: "gear", current: section === "general" },
    {
      label: "Collaborators",
      href: repoHref(repo, "settings/collaboration"),
      icon: "people",
      current: section === "collaborators",
    },
    {
      label: "Branches",
      href: repoHref(repo, "settings/branches"),
      icon: "git-branch",
      current: section === "branches",
    },
  ];
  return (
    <RepoPage shell={props.shell} repo={repo} tab="settings" title={[props.title, "Settings"]} noIndex>
      <SettingsFrame title={props.title} menuLabel="Repository settings" links={links}>
        {props.children}
      </SettingsFrame>
    </RepoPage>
  );
}
