import { Breadcrumb } from "../components/navigation.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { userHref } from "../links.ts";
import { projectsWords } from "./words/index.ts";

/** What stands around pages of boards: the repository's frame, or the name of the account. */
export interface ProjectFrameProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps | undefined;
  /** The account that has the boards, when no repository does. */
  readonly owner: string;
}

export function ProjectFrame(props: { frame: ProjectFrameProps; title: readonly string[]; children: Children }) {
  const t = useWords(projectsWords);
  const { owner, repo, shell } = props.frame;
  if (repo)
    return (
      <RepoPage shell={shell} repo={repo} tab="projects" title={props.title}>
        {props.children}
      </RepoPage>
    );
  return (
    <PageFrame shell={shell} title={[...props.title, owner]} width="wide">
      <Breadcrumb crumbs={[{ label: owner, href: userHref(owner) }, { label: t("projects") }]} />
      {props.children}
    </PageFrame>
  );
}
