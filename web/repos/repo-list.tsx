import { Icon } from "../components/icon.tsx";
import { Dot } from "../components/languages.tsx";
import { Badge, type Visibility, VisibilityBadge } from "../components/surface.tsx";
import { type Instant, TIME, Time } from "../components/time.tsx";
import type { Children } from "../jsx/types.ts";
import { useLanguage, useWords } from "../language.ts";
import { type RepoName, repoHref, topicHref } from "../links.ts";
import { reposWords } from "./words/index.ts";

/** Sort orders of repository lists (contract: web.md section 1.1), the most useful first. */
const REPO_SORTS = [
  "recentupdate",
  "leastupdate",
  "newest",
  "oldest",
  "moststars",
  "feweststars",
  "mostforks",
  "fewestforks",
  "alphabetically",
  "reversealphabetically",
  "size",
  "reversesize",
] as const;

/** The sort orders as choices of a list. Only inside a component. */
export function useRepoSorts(): { value: string; label: string }[] {
  const t = useWords(reposWords);
  return REPO_SORTS.map((value) => ({ value, label: t(value) }));
}

export interface RepoListItem extends RepoName {
  readonly visibility: Visibility;
  readonly description: string;
  readonly updatedAt: Instant;
  readonly isArchived?: boolean;
  readonly isFork?: boolean;
  readonly isMirror?: boolean;
  readonly isTemplate?: boolean;
  readonly language?: { readonly name: string; readonly colour: string };
  /** Absent when not counted. */
  readonly stars?: number;
  readonly forks?: number;
  readonly sizeBytes?: number;
  readonly topics?: readonly string[];
}

/** Repositories as rows: name, state, description, language, last change. */
export function RepoList({ repos, empty }: { repos: readonly RepoListItem[]; empty: Children }) {
  const t = useWords(reposWords);
  const language = useLanguage();
  if (repos.length === 0) return <>{empty}</>;
  return (
    <ul class="list repo-list">
      {repos.map((repo) => (
        <li>
          <div class="row">
            <Icon name={repoIcon(repo)} />
            <a class="repo-link" href={repoHref(repo)}>
              {repo.owner}/<strong>{repo.name}</strong>
            </a>
            {repo.visibility === "public" ? null : <VisibilityBadge visibility={repo.visibility} />}
            {repo.isArchived ? (
              <Badge icon="archive" tone="warn">
                {t("archived")}
              </Badge>
            ) : null}
            {repo.isTemplate ? <Badge icon="repo-template">{t("template")}</Badge> : null}
          </div>
          {repo.description ? <p class="repo-about">{repo.description}</p> : null}
          {repo.topics && repo.topics.length > 0 ? (
            <p class="topics">
              {repo.topics.map((topic) => (
                <a class="topic" href={topicHref(topic)}>
                  {topic}
                </a>
              ))}
            </p>
          ) : null}
          <p class="repo-facts">
            {repo.language ? (
              <span>
                <Dot colour={repo.language.colour} /> {repo.language.name}
              </span>
            ) : null}
            {repo.stars ? (
              <span title={t("stars", { count: repo.stars })}>
                <Icon name="star" /> {language.shortNumber(repo.stars)}
              </span>
            ) : null}
            {repo.forks ? (
              <span title={t("forks", { count: repo.forks })}>
                <Icon name="repo-forked" /> {language.shortNumber(repo.forks)}
              </span>
            ) : null}
            {repo.sizeBytes ? <span>{language.size(repo.sizeBytes)}</span> : null}
            <Time at={repo.updatedAt} text={t("updated", { time: TIME })} />
          </p>
        </li>
      ))}
    </ul>
  );
}

export function repoIcon(repo: Pick<RepoListItem, "visibility" | "isFork" | "isMirror">) {
  if (repo.isMirror) return "repo-push";
  if (repo.isFork) return "repo-forked";
  return repo.visibility === "private" ? "lock" : "repo";
}
