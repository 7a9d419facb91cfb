import { ProgressBar } from "../components/progress.tsx";
import { Notice } from "../components/surface.tsx";
import { type RepoName, repoHref } from "../links.ts";

/** How far a push is that the server is receiving. */
export interface PushProgressProps {
  readonly repo: RepoName;
  readonly stage: "receiving" | "indexing" | "checking" | "done";
  readonly done: number;
  readonly total?: number;
}

const WORDS: Record<PushProgressProps["stage"], string> = {
  receiving: "Receiving objects",
  indexing: "Indexing objects",
  checking: "Checking connectivity",
  done: "Done",
};

/**
 * A region that follows pushes to a repository. The server's events are named (`push`), carry no HTML and only tell
 * the region to fetch itself again, because hx-csp does not see what an event stream brings.
 */
export function PushRegion({ repo, progress }: { repo: RepoName; progress?: PushProgressProps }) {
  return (
    <div
      id="push-region"
      aria-live="polite"
      hx-sse:connect={repoHref(repo, "-/events")}
      hx-get={repoHref(repo, "-/push-progress")}
      hx-trigger="push from:#push-region"
      hx-target="#push-progress"
      hx-swap="outerHTML"
    >
      <PushProgress progress={progress} />
    </div>
  );
}

/** The fragment inside the region. */
export function PushProgress({ progress }: { progress?: PushProgressProps | undefined }) {
  return (
    <div id="push-progress">
      {progress === undefined ? null : progress.stage === "done" ? (
        <Notice kind="success">
          <p>
            New commits have arrived. <a href={repoHref(progress.repo)}>Show them</a>
          </p>
        </Notice>
      ) : (
        <ProgressBar label={WORDS[progress.stage]} done={progress.done} total={progress.total} />
      )}
    </div>
  );
}
