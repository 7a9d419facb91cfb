import { PeopleList, type Person } from "../components/avatar.tsx";
import type { IconName } from "../components/icon.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { starsWords } from "./words/index.ts";

export interface Follower extends Person {
  readonly fullName: string;
}

export interface FollowersProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly kind: "stargazers" | "watchers";
  readonly people: readonly Follower[];
  readonly pages: PageOf;
}

const ICONS = { stargazers: "star", watchers: "eye" } as const satisfies Record<string, IconName>;

/** `GET /{owner}/{repo}/stars` and `/watchers`. */
export function FollowersPage({ shell, repo, kind, people, pages }: FollowersProps) {
  const t = useWords(starsWords);
  const none = kind === "stargazers" ? t("noStargazers") : t("noWatchers");
  return (
    <RepoPage shell={shell} repo={repo} tab={undefined} title={[t(kind)]}>
      <h1>{t(kind)}</h1>
      {people.length === 0 ? (
        <EmptyState icon={ICONS[kind]} title={none} />
      ) : (
        <Card flush>
          <PeopleList people={people} />
        </Card>
      )}
      <Pagination of={pages} />
    </RepoPage>
  );
}
