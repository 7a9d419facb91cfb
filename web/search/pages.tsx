import { Avatar, type Person, PersonName } from "../components/avatar.tsx";
import { ExploreFrame } from "../explore/explore.tsx";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { SearchForm, SearchResults, type SearchView } from "./results.tsx";
import { searchWords } from "./words/index.ts";

/** `GET /explore/code`. */
export function ExploreCodePage({ shell, view }: { shell: Shell; view: SearchView }) {
  const t = useWords(searchWords);
  return (
    <ExploreFrame shell={shell} current="code" title={t("code")}>
      <SearchForm view={view} label={t("searchCode")} />
      <SearchResults view={view} prompt={t("prompt")} missing={t("missingEverywhere")} />
    </ExploreFrame>
  );
}

/** `GET /{owner}/-/code`. */
export function OwnerCodePage({ shell, owner, view }: { shell: Shell; owner: Person; view: SearchView }) {
  const t = useWords(searchWords);
  const label = t("searchHere", { repository: owner.name });
  return (
    <PageFrame shell={shell} title={[label]}>
      <h1 class="row">
        <Avatar person={owner} size={32} /> <PersonName person={owner} />
      </h1>
      <SearchForm view={view} label={label} />
      <SearchResults view={view} prompt={t("promptOwner", { owner: owner.name })} missing={t("missingEverywhere")} />
    </PageFrame>
  );
}

/** `GET {W}/search`. */
export function RepoSearchPage({ shell, repo, view }: { shell: Shell; repo: RepoFrameProps; view: SearchView }) {
  const t = useWords(searchWords);
  return (
    <RepoPage shell={shell} repo={repo} tab="code" title={[t("searchCode")]} noIndex>
      <h1 class="hidden-text">{t("searchCode")}</h1>
      <SearchForm view={view} label={t("searchHere", { repository: `${repo.owner}/${repo.name}` })} />
      <SearchResults view={view} prompt={t("promptHere", { branch: repo.defaultBranch })} missing={t("missing")} />
    </RepoPage>
  );
}
