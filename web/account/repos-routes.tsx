import { type Call, type Route, signedIn } from "../../src/http/route.ts";
import { ownAccount } from "../../src/identity/access.ts";
import type { WebServices } from "../area.ts";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { pageOf } from "../list-query.ts";
import { repoItem } from "../repos/items.ts";
import { RepoList, type RepoListItem } from "../repos/repo-list.tsx";
import { shellOf, show } from "../visit.ts";
import { UserSettings } from "./settings.tsx";
import { accountWords } from "./words/index.ts";

const PAGE = "/user/settings/repos";
const PER_PAGE = 20;

/** The settings page with the user's own repositories. */
export function ownReposPages(services: WebServices): Route[] {
  return [{ method: "GET", path: PAGE, surface: "page", access: ownAccount, handle: (call) => list(services, call) }];
}

function list(services: WebServices, call: Call): Response {
  const slice = pageOf(call, PER_PAGE);
  const { items, total } = services.repoSearch.ownedBy(call.principal, signedIn(call), slice);
  const pages = { page: slice.page, perPage: PER_PAGE, total, href: PAGE };
  return show(call, <OwnReposPage shell={shellOf(services, call)} repos={items.map(repoItem)} pages={pages} />);
}

function OwnReposPage({ shell, repos, pages }: { shell: Shell; repos: readonly RepoListItem[]; pages: PageOf }) {
  const t = useWords(accountWords);
  return (
    <UserSettings shell={shell} section="repositories">
      <Card flush>
        <RepoList repos={repos} empty={<EmptyState icon="repo" title={t("noRepositories")} />} />
      </Card>
      <Pagination of={pages} />
    </UserSettings>
  );
}
