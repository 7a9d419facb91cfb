import { Avatar, type Person, PersonName } from "../components/avatar.tsx";
import { ItemTitle } from "../components/item-title.tsx";
import { EmptyState } from "../components/surface.tsx";
import { type Instant, Time } from "../components/time.tsx";
import { useWords } from "../language.ts";
import { commitHref, type RepoName, refHref, repoHref } from "../links.ts";
import { releaseHref } from "../releases/addresses.ts";
import { homeWords } from "./words/index.ts";

export interface PushedCommit {
  readonly sha: string;
  readonly subject: string;
}

/** What happened, in feed order. */
export type ActivityEvent =
  | {
      readonly kind: "push";
      readonly branch: string;
      readonly commits: readonly PushedCommit[];
      readonly total: number;
      /** There are more than `total`; counting stopped there. */
      readonly hasMore?: boolean;
      readonly compareHref?: string;
    }
  | { readonly kind: "create-branch" | "delete-branch"; readonly branch: string }
  | { readonly kind: "create-tag" | "delete-tag"; readonly tag: string }
  | { readonly kind: "publish-release"; readonly tag: string; readonly title: string }
  /** Further changes of the same push, besides the refs with their own entries. */
  | { readonly kind: "more-refs"; readonly count: number }
  | { readonly kind: "create-repo" | "fork-repo" | "archive-repo" }
  | { readonly kind: "rename-repo" | "transfer-repo"; readonly from: string }
  | ItemHappened;

/** What happened to an issue or a pull request. */
export interface ItemHappened {
  readonly kind: "item";
  readonly what: "opened" | "closed" | "reopened" | "commented" | "merged" | "approved" | "rejected";
  readonly number: number;
  readonly href: string;
  /** Its title, or the beginning of the comment. */
  readonly text: string;
}

export interface Activity {
  readonly principal: Person;
  readonly repo: RepoName;
  readonly at: Instant;
  readonly event: ActivityEvent;
}

/** One sentence: who did what, and where. */
export function Sentence({ item: { principal, event, repo } }: { item: Activity }) {
  const t = useWords(homeWords);
  const person = <PersonName person={principal} />;
  const repository = (
    <a href={repoHref(repo)}>
      {repo.owner}/{repo.name}
    </a>
  );
  const link = (kind: "branch" | "tag", name: string) => <a href={refHref(repo, "src", { kind, name })}>{name}</a>;
  switch (event.kind) {
    case "push": {
      const parts = { person, repository, branch: link("branch", event.branch) };
      // A push that only removed commits added none.
      if (event.total === 0) return <>{t.jsx("pushed", parts)}</>;
      return <>{t.jsx(event.hasMore ? "pushedMoreThan" : "pushedCommits", { ...parts, count: event.total })}</>;
    }
    case "create-branch":
      return <>{t.jsx("createdBranch", { person, repository, branch: link("branch", event.branch) })}</>;
    case "delete-branch":
      return <>{t.jsx("deletedBranch", { person, repository, branch: <strong>{event.branch}</strong> })}</>;
    case "create-tag":
      return <>{t.jsx("createdTag", { person, repository, tag: link("tag", event.tag) })}</>;
    case "delete-tag":
      return <>{t.jsx("deletedTag", { person, repository, tag: <strong>{event.tag}</strong> })}</>;
    case "publish-release": {
      const release = <a href={releaseHref(repo, event.tag)}>{event.title}</a>;
      return <>{t.jsx("publishedRelease", { person, repository, release })}</>;
    }
    case "more-refs":
      return <>{t.jsx("changedMoreRefs", { person, repository, count: event.count })}</>;
    case "create-repo":
      return <>{t.jsx("createdRepository", { person, repository })}</>;
    case "fork-repo":
      return <>{t.jsx("forkedRepository", { person, repository })}</>;
    case "archive-repo":
      return <>{t.jsx("archivedRepository", { person, repository })}</>;
    case "item": {
      const item = <a href={event.href}>#{event.number}</a>;
      return <>{t.jsx(`${event.what}Item`, { person, repository, item })}</>;
    }
    case "rename-repo":
      return <>{t.jsx("renamedRepository", { person, repository, from: event.from })}</>;
    case "transfer-repo":
      return event.from === "" ? (
        <>{t.jsx("receivedRepository", { person, repository })}</>
      ) : (
        <>{t.jsx("transferredRepository", { person, repository, from: event.from })}</>
      );
  }
}

/** The feed: who did what and where, with the first commits of a push. */
export function ActivityFeed({ items }: { items: readonly Activity[] }) {
  const t = useWords(homeWords);
  if (items.length === 0)
    return (
      <EmptyState icon="history" title={t("nothingYet")}>
        {t("nothingYetHint")}
      </EmptyState>
    );
  return (
    <ol class="feed">
      {items.map((item) => (
        <li>
          <Avatar person={item.principal} size={32} />
          <div>
            <p>
              <Sentence item={item} />{" "}
              <span class="muted">
                <Time at={item.at} />
              </span>
            </p>
            {item.event.kind === "push" ? <Commits event={item.event} repo={item.repo} /> : null}
            {item.event.kind === "item" && item.event.text ? (
              <p class="clip muted">
                <ItemTitle text={item.event.text} />
              </p>
            ) : null}
          </div>
        </li>
      ))}
    </ol>
  );
}

export function Commits({ event, repo }: { event: ActivityEvent & { kind: "push" }; repo: RepoName }) {
  const t = useWords(homeWords);
  return (
    <ul class="feed-commits">
      {event.commits.map((commit) => (
        <li class="clip">
          <a class="sha" href={commitHref(repo, commit.sha)}>
            {commit.sha.slice(0, 10)}
          </a>{" "}
          {commit.subject}
        </li>
      ))}
      {event.total > event.commits.length && event.compareHref ? (
        <li>
          <a href={event.compareHref}>{t("compareAll", { count: event.total })}</a>
        </li>
      ) : null}
    </ul>
  );
}
