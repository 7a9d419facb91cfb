import { Avatar, type Person, PersonName } from "../components/avatar.tsx";
import { plural } from "../components/numbers.ts";
import { EmptyState } from "../components/surface.tsx";
import { type Instant, Time } from "../components/time.tsx";
import { commitHref, type RepoName, refHref, repoHref } from "../links.ts";

export interface PushedCommit {
  readonly sha: string;
  readonly subject: string;
}

/** What happened, in the order of the feed. */
export type ActivityEvent =
  | {
      readonly kind: "push";
      readonly branch: string;
      readonly commits: readonly PushedCommit[];
      readonly total: number;
      /** There are more than `total`; no one counted on. */
      readonly hasMore?: boolean;
      readonly compareHref?: string;
    }
  | { readonly kind: "create-branch" | "delete-branch"; readonly branch: string }
  | { readonly kind: "create-tag" | "delete-tag"; readonly tag: string }
  /** What one push changed besides the refs that have entries of their own. */
  | { readonly kind: "more-refs"; readonly count: number }
  | { readonly kind: "create-repo" | "fork-repo" | "archive-repo" }
  | { readonly kind: "rename-repo" | "transfer-repo"; readonly from: string };

export interface Activity {
  readonly principal: Person;
  readonly repo: RepoName;
  readonly at: Instant;
  readonly event: ActivityEvent;
}

/** "3 commits to"; a push that only took commits away has none. */
function pushedWords({ total, hasMore }: { total: number; hasMore?: boolean }): string {
  if (total === 0) return "to";
  return `${hasMore ? "more than " : ""}${plural(total, "commit")} to`;
}

function Sentence({ event, repo }: { event: ActivityEvent; repo: RepoName }) {
  const where = (
    <a href={repoHref(repo)}>
      {repo.owner}/{repo.name}
    </a>
  );
  const branch = (name: string) => <a href={refHref(repo, "src", { kind: "branch", name })}>{name}</a>;
  switch (event.kind) {
    case "push":
      return (
        <>
          pushed {pushedWords(event)} {branch(event.branch)} in {where}
        </>
      );
    case "create-branch":
      return (
        <>
          created branch {branch(event.branch)} in {where}
        </>
      );
    case "delete-branch":
      return (
        <>
          deleted branch <strong>{event.branch}</strong> in {where}
        </>
      );
    case "create-tag":
      return (
        <>
          tagged <a href={refHref(repo, "src", { kind: "tag", name: event.tag })}>{event.tag}</a> in {where}
        </>
      );
    case "delete-tag":
      return (
        <>
          deleted tag <strong>{event.tag}</strong> in {where}
        </>
      );
    case "more-refs":
      return (
        <>
          changed {plural(event.count, "more branch or tag", "more branches and tags")} in {where}
        </>
      );
    case "create-repo":
      return <>created {where}</>;
    case "fork-repo":
      return <>forked to {where}</>;
    case "archive-repo":
      return <>archived {where}</>;
    case "rename-repo":
      return (
        <>
          renamed {event.from} to {where}
        </>
      );
    case "transfer-repo":
      return (
        <>
          transferred {event.from} to {where}
        </>
      );
  }
}

/** The feed: who did what where, with the first commits of a push. */
export function ActivityFeed({ items }: { items: readonly Activity[] }) {
  if (items.length === 0)
    return (
      <EmptyState icon="history" title="Nothing has happened yet">
        Pushes and new repositories appear here.
      </EmptyState>
    );
  return (
    <ol class="feed">
      {items.map((item) => (
        <li>
          <Avatar person={item.principal} size={32} />
          <div>
            <p>
              <PersonName person={item.principal} /> <Sentence event={item.event} repo={item.repo} />{" "}
              <span class="muted">
                <Time at={item.at} />
              </span>
            </p>
            {item.event.kind === "push" ? <Commits event={item.event} repo={item.repo} /> : null}
          </div>
        </li>
      ))}
    </ol>
  );
}

function Commits({ event, repo }: { event: ActivityEvent & { kind: "push" }; repo: RepoName }) {
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
          <a href={event.compareHref}>Compare all {plural(event.total, "commit")}</a>
        </li>
      ) : null}
    </ul>
  );
}
