import { atLeast } from "../../src/access/levels.ts";
import { ghost } from "../../src/identity/system-users.ts";
import { mayEdit } from "../../src/issues/rights.ts";
import { isVerdict, type Review, type ReviewKind } from "../../src/pulls/review/types.ts";
import type { SeenPull } from "../../src/pulls/types.ts";
import { isDraft } from "../../src/pulls/values.ts";
import type { WebServices } from "../area.ts";
import { Avatar, type Person, PersonName } from "../components/avatar.tsx";
import { SubmitButton } from "../components/button.tsx";
import type { IconName } from "../components/icon.tsx";
import { Badge, type Tone } from "../components/surface.tsx";
import { Part } from "../conversation/sidebar.tsx";
import { useWords } from "../language.ts";
import { absentPerson, personIn } from "../people.ts";
import { homeOf } from "../repos/frame.ts";
import { type AboutPull, AskAgain, AskForm, DismissForm, MaintainersForm, Withdraw } from "./reviewer-forms.tsx";
import { pullHref } from "./shown.ts";
import { pullWords } from "./words/index.ts";

export interface ReviewersProps {
  readonly pull: AboutPull;
  readonly reviewers: readonly {
    /** A person, or the name of a team. */
    readonly who: Person | string;
    readonly kind: ReviewKind;
    readonly isStale: boolean;
    readonly id: number;
    /** What the viewer may do about it. */
    readonly may: { readonly askAgain: boolean; readonly withdraw: boolean; readonly dismiss: boolean };
  }[];
  readonly mayChoose: boolean;
  /** Others who may be asked. */
  readonly candidates: readonly string[];
  readonly teams: readonly string[];
  /** Whether maintainers of the base may push to the head; absent when the viewer may not decide that. */
  readonly allowsMaintainers: boolean | undefined;
  /** What the button changes it to; absent when the viewer may not. */
  readonly draft: "draft" | "ready" | undefined;
}

/** The reviewers of a pull request and their latest verdicts. */
export function reviewersOf(services: WebServices, item: SeenPull): ReviewersProps {
  const { identity, pullEditing, reviewRequests, reviews, teams } = services;
  const { issue, pull, seen } = item;
  const last = new Map<string, Review>();
  for (const review of reviews.all(item)) {
    if (review.kind === "pending" || review.isDismissed) continue;
    const key = review.teamId === undefined ? `${review.reviewerId ?? review.originalAuthor}` : `team ${review.teamId}`;
    // A comment does not withdraw a verdict.
    if (review.kind === "comment" && last.has(key)) continue;
    last.set(key, review);
  }
  const said = [...last.values()];
  const people = identity.byIds(said.flatMap(({ reviewerId }) => reviewerId ?? []));
  const teamsById = new Map(teams.byIds(said.flatMap(({ teamId }) => teamId ?? [])).map((team) => [team.id, team]));
  const mayChoose = pull.isOpen && reviewRequests.mayChooseFor(item);
  const isReader = seen.principal.user !== undefined && !seen.repo.isArchived;
  return {
    pull: { id: issue.id, href: pullHref(item), items: homeOf(seen, "issues") },
    reviewers: said.map(({ id, isStale, kind, originalAuthor, reviewerId, teamId }) => ({
      who:
        teamId === undefined
          ? (personIn(people, reviewerId) ?? absentPerson({ originalAuthor }))
          : (teamsById.get(teamId)?.name ?? ghost.login),
      kind,
      isStale,
      id,
      may: {
        askAgain: mayChoose && kind !== "request" && teamId === undefined && reviewerId !== undefined,
        withdraw: isReader && kind === "request" && (mayChoose || reviewerId === seen.principal.user?.id),
        dismiss: isReader && pull.isOpen && isVerdict({ kind }) && atLeast(seen.access.level, "admin"),
      },
    })),
    mayChoose,
    candidates: mayChoose
      ? reviewRequests
          .people(seen)
          .filter(({ id }) => id !== issue.posterId)
          .slice(0, MAX_CANDIDATES)
          .map(({ login }) => login)
      : [],
    teams: mayChoose ? reviewRequests.candidateTeams(seen).map(({ name }) => name) : [],
    allowsMaintainers:
      isReader && pull.isOpen && pullEditing.mayAllowEdits(item) ? pull.allowsMaintainerEdit : undefined,
    draft: isReader && mayEdit(item) && pull.isOpen ? (isDraft(issue.title) ? "ready" : "draft") : undefined,
  };
}

const MAX_CANDIDATES = 50;

/** The part of the sidebar that only pull requests have. */
export function Reviewers(props: ReviewersProps) {
  const { allowsMaintainers, candidates, draft, mayChoose, pull, reviewers, teams } = props;
  const { href, items } = pull;
  const t = useWords(pullWords);
  return (
    <>
      <Part
        title={t("reviewers")}
        change={mayChoose ? <AskForm pull={pull} candidates={candidates} teams={teams} /> : null}
      >
        {reviewers.length === 0 ? <p class="muted">{t("noReviewers")}</p> : null}
        <ul class="side-list">
          {reviewers.map(({ id, isStale, kind, may, who }) => (
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
              {may.askAgain && typeof who !== "string" ? <AskAgain pull={pull} name={who.name} /> : null}
              {may.withdraw ? <Withdraw pull={pull} who={who} /> : null}
              {may.dismiss ? <DismissForm items={items} id={id} /> : null}
            </li>
          ))}
        </ul>
      </Part>
      {allowsMaintainers === undefined ? null : <MaintainersForm href={href} isAllowed={allowsMaintainers} />}
      {draft ? (
        <form method="post" action={`${href}/draft`}>
          <input type="hidden" name="draft" value={draft === "draft" ? "true" : "false"} />
          <SubmitButton small>{draft === "draft" ? t("markDraft") : t("markReady")}</SubmitButton>
        </form>
      ) : null}
    </>
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
