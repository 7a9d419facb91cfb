import { ghost } from "../../src/identity/system-users.ts";
import { mayEdit } from "../../src/issues/rights.ts";
import type { Review, ReviewKind } from "../../src/pulls/review/types.ts";
import type { SeenPull } from "../../src/pulls/types.ts";
import { isDraft } from "../../src/pulls/values.ts";
import type { WebServices } from "../area.ts";
import { Avatar, type Person, PersonName } from "../components/avatar.tsx";
import { SubmitButton } from "../components/button.tsx";
import { FormActions, TextField } from "../components/form.tsx";
import type { IconName } from "../components/icon.tsx";
import { Badge, type Tone } from "../components/surface.tsx";
import { Part } from "../conversation/sidebar.tsx";
import { useWords } from "../language.ts";
import { personOf } from "../people.ts";
import { pullHref } from "./shown.ts";
import { pullWords } from "./words/index.ts";

export interface ReviewersProps {
  readonly href: string;
  readonly reviewers: readonly {
    /** A person, or the name of a team. */
    readonly who: Person | string;
    readonly kind: ReviewKind;
    readonly isStale: boolean;
  }[];
  readonly mayChoose: boolean;
  /** Who else may be asked. */
  readonly candidates: readonly string[];
  /** What the button makes of it; absent: whoever looks may not. */
  readonly draft: "draft" | "ready" | undefined;
}

/** Who reviews a pull request and what they said last. */
export function reviewersOf(services: WebServices, item: SeenPull): ReviewersProps {
  const { identity, reviewRequests, reviews, teams } = services;
  const { issue, pull, seen } = item;
  const last = new Map<string, Review>();
  for (const review of reviews.all(item)) {
    if (review.kind === "pending" || review.isDismissed) continue;
    const key = review.teamId === undefined ? `${review.reviewerId}` : `team ${review.teamId}`;
    // A comment takes no verdict back.
    if (review.kind === "comment" && last.has(key)) continue;
    last.set(key, review);
  }
  const said = [...last.values()];
  const people = identity.byIds(said.flatMap(({ reviewerId }) => reviewerId ?? []));
  const teamsById = new Map(teams.byIds(said.flatMap(({ teamId }) => teamId ?? [])).map((team) => [team.id, team]));
  const mayChoose = pull.isOpen && reviewRequests.mayChoose(seen);
  const isReader = seen.principal.user !== undefined && !seen.repo.isArchived;
  return {
    href: pullHref(item),
    reviewers: said.map(({ isStale, kind, reviewerId, teamId }) => ({
      who:
        teamId === undefined
          ? personOf((reviewerId === undefined ? undefined : people.get(reviewerId)) ?? ghost)
          : (teamsById.get(teamId)?.name ?? ghost.login),
      kind,
      isStale,
    })),
    mayChoose,
    candidates: mayChoose
      ? reviewRequests
          .candidates(seen)
          .filter(({ id }) => id !== issue.posterId)
          .slice(0, MAX_CANDIDATES)
          .map(({ login }) => login)
      : [],
    draft: isReader && mayEdit(item) && pull.isOpen ? (isDraft(issue.title) ? "ready" : "draft") : undefined,
  };
}

const MAX_CANDIDATES = 50;

/** The part of the sidebar that only pull requests have. */
export function Reviewers({ candidates, draft, href, mayChoose, reviewers }: ReviewersProps) {
  const t = useWords(pullWords);
  return (
    <>
      <Part title={t("reviewers")} change={mayChoose ? <AskForm href={href} candidates={candidates} /> : null}>
        {reviewers.length === 0 ? <p class="muted">{t("noReviewers")}</p> : null}
        <ul class="side-list">
          {reviewers.map(({ isStale, kind, who }) => (
            <li class="row">
              {typeof who === "string" ? (
                who
              ) : (
                <>
                  <Avatar person={who} /> <PersonName person={who} />
                </>
              )}
              <ReviewBadge kind={kind} />
              {isStale && kind !== "request" ? <Badge tone="warn">{t("stale")}</Badge> : null}
              {mayChoose && kind !== "request" && typeof who !== "string" ? (
                <AskAgain href={href} person={who} />
              ) : null}
            </li>
          ))}
        </ul>
      </Part>
      {draft ? (
        <form method="post" action={`${href}/draft`}>
          <input type="hidden" name="draft" value={draft === "draft" ? "true" : "false"} />
          <SubmitButton small>{draft === "draft" ? t("markDraft") : t("markReady")}</SubmitButton>
        </form>
      ) : null}
    </>
  );
}

function AskForm({ candidates, href }: { candidates: readonly string[]; href: string }) {
  const t = useWords(pullWords);
  return (
    <details class="side-change">
      <summary class="btn btn-small btn-quiet">{t("askReview")}</summary>
      <form class="form" method="post" action={`${href}/request_review`}>
        <TextField name="reviewer" label={t("reviewerName")} autocomplete="off" code required list="reviewer-names" />
        <datalist id="reviewer-names">
          {candidates.map((name) => (
            <option value={name} />
          ))}
        </datalist>
        <FormActions>
          <SubmitButton small>{t("askReview")}</SubmitButton>
        </FormActions>
      </form>
    </details>
  );
}

function AskAgain({ href, person }: { href: string; person: Person }) {
  const t = useWords(pullWords);
  return (
    <form method="post" action={`${href}/request_review`}>
      <input type="hidden" name="reviewer" value={person.name} />
      <button
        type="submit"
        class="btn btn-small btn-quiet btn-icon i-sync"
        title={t("askAgain", { name: person.name })}
      >
        <span class="hidden-text">{t("askAgain", { name: person.name })}</span>
      </button>
    </form>
  );
}

const looks: Readonly<Record<ReviewKind, { readonly icon: IconName; readonly tone: Tone }>> = {
  approve: { icon: "check-circle", tone: "ok" },
  reject: { icon: "stop", tone: "danger" },
  comment: { icon: "comment", tone: "plain" },
  request: { icon: "clock", tone: "warn" },
  pending: { icon: "pencil", tone: "plain" },
};

export function ReviewBadge({ kind }: { kind: ReviewKind }) {
  const t = useWords(pullWords);
  const { icon, tone } = looks[kind];
  return (
    <Badge icon={icon} tone={tone}>
      {t(`review-${kind}`)}
    </Badge>
  );
}
