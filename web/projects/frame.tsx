import { Breadcrumb } from "../components/navigation.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { userHref } from "../links.ts";
import { OrganizationPage, type OrganizationProps } from "../organizations/frame.tsx";
import { projectsWords } from "./words/index.ts";

/** The frame of board pages: that of the repository or organization, or the name of the account. */
export interface ProjectFrameProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps | undefined;
  readonly organization: OrganizationProps | undefined;
  /** The account that owns the boards, when they are not a repository's. */
  readonly owner: string;
}

export function ProjectFrame(props: { frame: ProjectFrameProps; title: readonly string[]; children: Children }) {
  const t = useWords(projectsWords);
  const { organization, owner, repo, shell } = props.frame;
  if (repo)
    return (
      <RepoPage shell={shell} repo={repo} tab="projects" title={props.title}>
        {props.children}
      </RepoPage>
    );
  if (organization)
    return (
      <OrganizationPage shell={shell} organization={organization} tab="projects" title={props.title}>
        {props.children}
      </OrganizationPage>
    );
  return (
    <PageFrame shell={shell} title={[...props.title, owner]} width="wide">
      <Breadcrumb crumbs={[{ label: owner, href: userHref(owner) }, { label: t("projects") }]} />
      {props.children}
    </PageFrame>
  );
}
