import { SubmitButton } from "../components/button.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { type RefName, refHref } from "../links.ts";
import { contentWords } from "./words/index.ts";

export interface FindProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly at: RefName;
  readonly typed: string;
  /** Matching paths, best first. */
  readonly found: readonly string[];
}

/** `GET {W}/find/{type}/{ref}`. */
export function FindPage({ shell, repo, at, typed, found }: FindProps) {
  const t = useWords(contentWords);
  return (
    <RepoPage shell={shell} repo={repo} tab="code" title={[t("goToFile")]} noIndex>
      <h1 class="hidden-text">{t("goToFile")}</h1>
      <search>
        <form class="search-form" method="get" action={refHref(repo, "find", at)}>
          <input type="search" name="q" value={typed} aria-label={t("typePath")} placeholder={t("typePath")} />
          <SubmitButton icon="search">{t("goToFile")}</SubmitButton>
        </form>
      </search>
      {found.length > 0 ? (
        <Card flush>
          <ul class="list">
            {found.map((path) => (
              <li>
                <a class="f" href={refHref(repo, "src", at, path)}>
                  {path}
                </a>
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
      {typed.trim() !== "" && found.length === 0 ? <EmptyState icon="search" title={t("noSuchFile")} /> : null}
    </RepoPage>
  );
}
