import type { IssueService } from "../issues/service.ts";
import { type Occasions, occasionFor, occasionForAll } from "../notifications/occasions.ts";
import type { TeamService } from "../organizations/teams/service.ts";
import { isDraft } from "./values.ts";

/** What happens to pull requests tells people (contract issues.md 20.2); of a draft, not everyone who watches. */
export function tellOfPulls(occasions: Occasions, issues: IssueService, teams: TeamService): void {
  const isUnfinished = (issueId: number) => isDraft(issues.byId(issueId)?.title ?? "");
  occasions.leaveOutWatchers(({ isPull, issueId }) => isPull && isUnfinished(issueId));
  occasions.add("pull.synchronized", (event) => occasionForAll(event));
  occasions.add("pull.merged", (event) => occasionForAll(event));
  occasions.add("pull.reviewed", (event) => occasionForAll(event));
  occasions.add("pull.review-dismissed", (event) => occasionForAll(event));
  occasions.add("pull.review-requested", (event) => {
    const { teamId, userId } = event.payload;
    const asked = [...(userId === null ? [] : [userId]), ...(teamId === null ? [] : teams.memberIds(teamId))];
    return occasionFor(
      event,
      asked.map((id) => ({ userId: id, reason: "review-requested" })),
    );
  });
  occasions.add("issue.edited", (event) => {
    const { before, isPull, issueId } = event.payload;
    const isReady = isPull && isDraft(before["title"] ?? "") && !isUnfinished(issueId);
    return isReady ? occasionForAll(event) : undefined;
  });
}
