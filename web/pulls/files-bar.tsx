import { SubmitButton } from "../components/button.tsx";
import { FormActions, RadioField, SelectField } from "../components/form.tsx";
import { Icon } from "../components/icon.tsx";
import { Count } from "../components/navigation.tsx";
import { TextBox, type TextBoxProps } from "../conversation/comment-form.tsx";
import { useWords } from "../language.ts";
import { withQuery } from "../links.ts";
import { pullWords } from "./words/index.ts";

/** The part of the changes that is shown. */
export interface ShownRange {
  readonly from: string;
  readonly to: string;
}

export interface ReviewBarProps {
  readonly href: string;
  readonly headOid: string;
  /** Number of unsent comments; undefined when the viewer has not begun a review. */
  readonly pending: number | undefined;
  /** The author cannot give a verdict, and a closed pull request accepts none. */
  readonly mayDecide: boolean;
  /** URLs for its text box. */
  readonly box: Pick<TextBoxProps, "previewAction" | "suggestAction" | "uploadAction">;
}

export interface FilesBarProps {
  readonly href: string;
  readonly viewed: { readonly count: number; readonly all: number } | undefined;
  /** The commits a range may start and end with, oldest first. */
  readonly commits: readonly { readonly oid: string; readonly subject: string }[];
  /** The base of the whole diff. */
  readonly base: string;
  /** undefined: all changes. */
  readonly range: ShownRange | undefined;
  /** The head when the viewer last reviewed it; absent: never, or nothing has changed since. */
  readonly lastReviewed: string | undefined;
  readonly headOid: string;
  readonly outdated: { readonly isShown: boolean; readonly count: number };
  /** Absent when the viewer may not review. */
  readonly review: ReviewBarProps | undefined;
}

/** The bar above the files: review progress, the range shown, and finishing the review. */
export function FilesBar(props: FilesBarProps) {
  const t = useWords(pullWords);
  const { href, outdated, review, viewed } = props;
  const here = `${href}/files`;
  return (
    <div class="files-bar" id="files-bar">
      <RangeMenu {...props} />
      {viewed ? (
        <span class="viewed-progress" id="viewed-progress">
          <progress max={viewed.all} value={viewed.count} aria-hidden="true" />
          <span data-viewed={viewed.count} data-text={t("viewedOf", { viewed: "{viewed}", count: viewed.all })}>
            {t("viewedOf", { viewed: viewed.count, count: viewed.all })}
          </span>
        </span>
      ) : null}
      {outdated.count > 0 ? (
        <a class="btn btn-small" href={withQuery(here, { "show-outdated": outdated.isShown ? "false" : "true" })}>
          {outdated.isShown ? t("hideOutdated") : t("showOutdated")} <Count value={outdated.count} />
        </a>
      ) : null}
      {review ? <ReviewBar {...review} /> : null}
    </div>
  );
}

/** A note that not all changes are shown. */
export function PartNote({ href, range }: { href: string; range: ShownRange }) {
  const t = useWords(pullWords);
  return (
    <p class="flash flash-info">
      <Icon name="info" />
      <span>
        {t.jsx("partShown", {
          from: <code>{range.from.slice(0, 10)}</code>,
          to: <code>{range.to.slice(0, 10)}</code>,
          link: (inner) => <a href={`${href}/files`}>{inner}</a>,
        })}
      </span>
    </p>
  );
}

function RangeMenu({ base, commits, headOid, href, lastReviewed, range }: FilesBarProps) {
  const t = useWords(pullWords);
  const here = `${href}/files`;
  const named = commits.map(({ oid, subject }) => ({
    value: oid,
    label: `${oid.slice(0, 10)} ${(subject || t("noSubject")).slice(0, 60)}`,
  }));
  return (
    <details class="range-menu">
      <summary class="btn btn-small">
        <Icon name="git-commit" /> {range ? `${range.from.slice(0, 7)}..${range.to.slice(0, 7)}` : t("allChanges")}
      </summary>
      <div class="card card-body range-choices">
        <ul class="plain">
          <li>
            <a href={here} aria-current={range ? undefined : "page"}>
              {t("allChanges")}
            </a>
          </li>
          {lastReviewed ? (
            <li>
              <a
                href={`${here}/${lastReviewed}..${headOid}`}
                aria-current={range?.from === lastReviewed ? "page" : undefined}
              >
                {t("sinceReview")}
              </a>
            </li>
          ) : null}
        </ul>
        {commits.length > 1 ? (
          <form class="form" method="get" action={`${here}/range`}>
            <SelectField
              name="from"
              label={t("rangeFrom")}
              value={range?.from ?? base}
              choices={[{ value: base, label: t("rangeStart") }, ...named.slice(0, -1)]}
            />
            <SelectField name="to" label={t("rangeTo")} value={range?.to ?? headOid} choices={named} />
            <FormActions>
              <SubmitButton small>{t("showRange")}</SubmitButton>
            </FormActions>
          </form>
        ) : null}
      </div>
    </details>
  );
}

/** Finishes a review with a summary. It is replaced when a comment is added to the review. */
export function ReviewBar({ box, headOid, href, mayDecide, pending }: ReviewBarProps) {
  const t = useWords(pullWords);
  const verdicts = [
    { value: "approve", label: t("approve") },
    { value: "reject", label: t("reject") },
  ];
  return (
    <details class="review-bar" id="review-bar" hx-swap-oob="true">
      <summary class="btn btn-small btn-primary">
        {pending === undefined ? t("review") : t("finishReview")} {pending ? <Count value={pending} /> : null}
      </summary>
      <div class="card card-body review-finish">
        {pending === undefined ? null : <p>{t("pendingCount", { count: pending })}</p>}
        <form class="form" method="post" action={`${href}/files/reviews/submit`}>
          <input type="hidden" name="commit_id" value={headOid} />
          <TextBox
            {...box}
            id="review-content"
            name="content"
            label={t("yourComment")}
            value=""
            rows={4}
            draft={`${href}/files review`}
          />
          <RadioField
            name="type"
            label={t("verdict")}
            value="comment"
            choices={[{ value: "comment", label: t("justComment") }, ...(mayDecide ? verdicts : [])]}
          />
          <FormActions>
            <SubmitButton kind="primary">{t("submitReview")}</SubmitButton>
          </FormActions>
        </form>
        {pending === undefined ? null : (
          <form method="post" action={`${href}/files/reviews/discard`} data-confirm={t("reallyDiscard")}>
            <SubmitButton small>{t("discardReview")}</SubmitButton>
          </form>
        )}
      </div>
    </details>
  );
}
