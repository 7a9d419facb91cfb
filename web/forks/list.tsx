import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { RepoList, type RepoListItem } from "../repos/repo-list.tsx";
import { forksWords } from "./words/index.ts";

export interface ForksProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly forks: readonly RepoListItem[];
  readonly pages: PageOf;
}

/** `GET /{owner}/{repo}/forks`. */
export function ForksPage({ shell, repo, forks, pages }: ForksProps) {
  const t = useWords(forksWords);
  return (
    <RepoPage shell={shell} repo={repo} tab={undefined} title={[t("forks")]}>
      <h1>{t("forks")}</h1>
      <Card flush>
        <RepoList repos={forks} empty={<EmptyState icon="repo-forked" title={t("noForks")} />} />
      </Card>
      <Pagination of={pages} />
    </RepoPage>
  );
}
