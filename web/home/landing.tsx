import { LinkButton } from "../components/button.tsx";
import { Logo } from "../components/icon.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { RepoList, type RepoListItem } from "../repos/repo-list.tsx";

export interface LandingProps {
  readonly shell: Shell;
  /** The most recently active public repositories. */
  readonly repos: readonly RepoListItem[];
}

/** `GET /` for a visitor: search, and what is going on, instead of a pitch. */
export function LandingPage({ shell, repos }: LandingProps) {
  return (
    <PageFrame shell={shell} title={[shell.site.name]} description={`${shell.site.name}: repositories`}>
      <div class="landing">
        <Logo />
        <h1>{shell.site.name}</h1>
        <search>
          <form class="search-form" method="get" action="/explore/repos">
            <input
              type="search"
              name="q"
              aria-label="Search repositories"
              placeholder="Search repositories"
              data-hotkey="/,s"
            />
            <button type="submit" class="btn">
              Search
            </button>
          </form>
        </search>
      </div>
      <Card
        title="Recently active"
        flush
        actions={
          <LinkButton href="/explore/repos" small>
            All repositories
          </LinkButton>
        }
      >
        <RepoList
          repos={repos}
          empty={
            <EmptyState icon="repo" title="No public repositories">
              There is nothing to see here without signing in.
            </EmptyState>
          }
        />
      </Card>
    </PageFrame>
  );
}
