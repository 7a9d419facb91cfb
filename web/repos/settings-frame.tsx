import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import { SettingsFrame, useLinks } from "../layout/settings-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { reposWords } from "./words/index.ts";

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
  const t = useWords(reposWords);
  return (
    <RepoPage shell={shell} repo={repo} tab="settings" title={[props.title, t("settings")]} noIndex>
      <SettingsFrame
        title={props.title}
        menuLabel={t("repositorySettings")}
        links={useLinks(shell.contributions.repoSettings, repo, section)}
      >
        {props.children}
      </SettingsFrame>
    </RepoPage>
  );
}
