import type { Children } from "../jsx/types.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import { linksOf, SettingsFrame } from "../layout/settings-frame.tsx";
import type { Shell } from "../layout/shell.tsx";

/** A page of a repository's settings. */
export function RepoSettings(props: {
  shell: Shell;
  repo: RepoFrameProps;
  /** The id of the section. */
  section: string;
  title: string;
  children: Children;
}) {
  const { shell, repo, section } = props;
  return (
    <RepoPage shell={shell} repo={repo} tab="settings" title={[props.title, "Settings"]} noIndex>
      <SettingsFrame
        title={props.title}
        menuLabel="Repository settings"
        links={linksOf(shell.contributions.repoSettings, repo, section)}
      >
        {props.children}
      </SettingsFrame>
    </RepoPage>
  );
}
