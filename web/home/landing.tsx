import { LinkButton } from "../components/button.tsx";
import { Logo } from "../components/icon.tsx";
import { ALL_EVENTS, LivePart, LiveStream, MOVING_LIST_EVENTS } from "../components/live-part.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { RepoList, type RepoListItem } from "../repos/repo-list.tsx";
import { homeWords } from "./words/index.ts";

export interface LandingProps {
  readonly shell: Shell;
  /** The most recently active public repositories. */
  readonly repos: readonly RepoListItem[];
}

/** `GET /` for a visitor: search and recent activity instead of a pitch. */
export function LandingPage({ shell, repos }: LandingProps) {
  const t = useWords(homeWords);
  return (
    <PageFrame
      shell={shell}
      title={[shell.site.name]}
      description={t("siteDescription", { site: shell.site.name })}
      width="wide"
    >
      <div class="landing">
        <Logo />
        <h1>{shell.site.name}</h1>
        <search>
          <form class="search-form" method="get" action="/explore/repos">
            <input
              type="search"
              name="q"
              aria-label={t("searchRepositories")}
              placeholder={t("searchRepositories")}
              data-hotkey="/,s"
            />
            <button type="submit" class="btn">
              {t("search")}
            </button>
          </form>
        </search>
      </div>
      <Card
        title={t("recentlyActive")}
        flush
        actions={
          <LinkButton href="/explore/repos" small>
            {t("allRepositories")}
          </LinkButton>
        }
      >
        <LiveStream events={ALL_EVENTS}>
          <LivePart id="found" here="/" on={MOVING_LIST_EVENTS}>
            <RepoList
              repos={repos}
              empty={
                <EmptyState icon="repo" title={t("noPublicRepositories")}>
                  {t("noPublicRepositoriesHint")}
                </EmptyState>
              }
            />
          </LivePart>
        </LiveStream>
      </Card>
    </PageFrame>
  );
}
