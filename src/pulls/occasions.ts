import { type Occasions, occasionFor, occasionForAll } from "../notifications/occasions.ts";
import type { Services } from "../services.ts";
import { isDraft } from "./values.ts";

/** Notifies people of events on pull requests (contract issues.md 20.2); for a draft, not every watcher. */
export function tellOfPulls(
  occasions: Occasions,
  { issues, teams, timeline }: Pick<Services, "issues" | "teams" | "timeline">,
): void {
  const isUnfinished = (issueId: number) => isDraft(issues.byId(issueId)?.title ?? "");
  occasions.leaveOutWatchers(({ isPull, issueId }) => isPull && isUnfinished(issueId));
  occasions.add("pull.synchronized", (event) => occasionForAll(event, { what: "push" }));
  occasions.add("pull.merged", (event) => occasionForAll(event, { what: "merge" }));
  occasions.add("pull.reviewed", (event) =>
    occasionForAll(event, { what: "review", entryId: timeline.entryOfReview(event.payload.reviewId) ?? null }),
  );
  occasions.add("pull.review-dismissed", (event) => occasionForAll(event, { what: "dismissed" }));
  occasions.add("pull.review-requested", (event) => {
    const { teamId, userId } = event.payload;
    const asked = [...(userId === null ? [] : [userId]), ...(teamId === null ? [] : teams.memberIds(teamId))];
    return occasionFor(
      event,
      asked.map((id) => ({ userId: id, reason: "review-requested" })),
      { what: "review-requested" },
    );
  });
  occasions.add("issue.edited", (event) => {
    const { before, isPull, issueId } = event.payload;
    const isReady = isPull && isDraft(before["title"] ?? "") && !isUnfinished(issueId);
    return isReady ? occasionForAll(event, { what: "ready" }) : undefined;
  });
}
