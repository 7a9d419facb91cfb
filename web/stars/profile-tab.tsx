import type { ProfileTab } from "../area.ts";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { userHref, withQuery } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { repoItem } from "../repos/items.ts";
import { RepoList, type RepoListItem } from "../repos/repo-list.tsx";
import { starsWords } from "./words/index.ts";

const PER_PAGE = 15;

/** The repositories an account has starred, at `/{user}?tab=stars`. */
export const starsTab: ProfileTab = {
  id: "stars",
  label: starsWords.label("stars"),
  icon: "star",
  order: 30,
  shown: ({ config }) => config["repository.stars"],
  count: (services, call, user) =>
    services.stars.followedBy(call.principal, user, { page: 1, limit: 1, offset: 0 }).total,
  show: (services, call, user) => {
    const slice = pageOf(call, PER_PAGE);
    const { items, total } = services.stars.followedBy(call.principal, user, slice);
    const href = withQuery(userHref(user.login), { tab: "stars" });
    return <StarredRepos repos={items.map(repoItem)} pages={{ page: slice.page, perPage: PER_PAGE, total, href }} />;
  },
};

function StarredRepos({ repos, pages }: { repos: readonly RepoListItem[]; pages: PageOf }) {
  const t = useWords(starsWords);
  return (
    <>
      <Card flush>
        <RepoList repos={repos} empty={<EmptyState icon="star" title={t("noStars")} />} />
      </Card>
      <Pagination of={pages} />
    </>
  );
}
