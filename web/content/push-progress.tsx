import { Notice } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { type RepoName, repoHref } from "../links.ts";
import { contentWords } from "./words/index.ts";

/**
 * A region that follows pushes to a repository. The server's events are named and carry no HTML: `push.progress` is a
 * line of text that the script writes here; `refs.changed` only reveals the hidden content (or, on a page that has
 * nothing else to show, reloads it). Visitors who only pass through open no stream: browsers allow six connections per
 * site.
 * Without JavaScript the region is empty and takes no space.
 */
export function PushRegion({ repo, reload }: { repo: RepoName; reload?: boolean }) {
  const t = useWords(contentWords);
  return (
    <div
      class="push-region"
      aria-live="polite"
      hx-sse:connect={repoHref(repo, "-/events")}
      hx-trigger="load delay:2s"
      data-push-region={reload ? "reload" : ""}
    >
      <p class="push-text muted" data-push-text="" hidden />
      <div data-push-done="" hidden>
        <Notice kind="info">
          <p>{t.jsx("newCommits", { link: (inner) => <a href={repoHref(repo)}>{inner}</a> })}</p>
        </Notice>
      </div>
    </div>
  );
}
