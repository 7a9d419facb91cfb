import { type MilestoneOrder, milestoneOrders } from "../../src/milestones/types.ts";
import { LinkButton } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import { ListBar } from "../components/list-bar.tsx";
import { ListSearch } from "../components/list-search.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Progress } from "../components/progress.tsx";
import { Prose } from "../components/prose.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { type Instant, TIME, Time } from "../components/time.tsx";
import type { SafeHtml } from "../jsx/raw.ts";
import { PlanningNav } from "../labels/nav.tsx";
import { useLanguage, useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { withQuery } from "../links.ts";
import { OrganizationPage, type OrganizationProps } from "../organizations/frame.tsx";
import { milestonesWords } from "./words/index.ts";

export interface MilestoneItem {
  readonly id: number;
  readonly title: string;
  /** URL of its page. */
  readonly href: string;
  /** In lists of one repository. */
  readonly description?: SafeHtml;
  /** `owner/name`, in lists across repositories. */
  readonly repository?: string;
  readonly openItems: number;
  readonly closedItems: number;
  readonly dueAt: Instant | undefined;
  readonly closedAt: Instant | undefined;
  readonly isOverdue: boolean;
}

export interface MilestoneListProps {
  readonly base: string;
  readonly milestones: readonly MilestoneItem[];
  readonly state: "open" | "closed" | "all";
  readonly counts: { readonly open: number; readonly closed: number };
  readonly query: string;
  readonly sort: MilestoneOrder;
  readonly pages: PageOf;
  /** URL of the form for a new one; absent when the viewer may not create one here. */
  readonly newHref?: string;
}

function MilestoneList(props: MilestoneListProps) {
  const { base, counts, milestones, newHref, query, sort, state } = props;
  const t = useWords(milestonesWords);
  const href = (wanted: string) =>
    withQuery(base, { state: wanted, q: query, sort: sort === "closestduedate" ? undefined : sort });
  const states = [
    { label: t("open"), href: href("open"), count: counts.open, current: state === "open" },
    { label: t("closed"), href: href("closed"), count: counts.closed, current: state === "closed" },
    { label: t("all"), href: href("all"), current: state === "all" },
  ];
  return (
    <>
      <div class="row">
        <div class="grow">
          <ListSearch
            action={base}
            query={query}
            sort={sort}
            sorts={milestoneOrders.map((value) => ({ value, label: t(`sort-${value}`) }))}
            label={t("findMilestone")}
            keep={{ state }}
          />
        </div>
        {newHref ? (
          <LinkButton kind="primary" icon="plus" href={newHref} hotkey="c">
            {t("newMilestone")}
          </LinkButton>
        ) : null}
      </div>
      <Card flush>
        <ListBar label={t("state")} states={states} />
        {milestones.length === 0 ? (
          <EmptyState icon="milestone" title={query ? t("noMatch") : t("noMilestones")}>
            {query ? null : t("noMilestonesHint")}
          </EmptyState>
        ) : (
          <ul class="list">
            {milestones.map((milestone) => (
              <li class="progress-row">
                <div>
                  <h2>
                    <a href={milestone.href}>{milestone.title}</a>{" "}
                    {milestone.repository ? <span class="muted">{milestone.repository}</span> : null}
                  </h2>
                  <p class="muted">
                    <MilestoneDates milestone={milestone} />
                  </p>
                  {milestone.description ? <Prose html={milestone.description} /> : null}
                </div>
                <MilestoneProgress milestone={milestone} />
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Pagination of={props.pages} />
    </>
  );
}

export function MilestoneDates({ milestone }: { milestone: MilestoneItem }) {
  const t = useWords(milestonesWords);
  const language = useLanguage();
  const { closedAt, dueAt, isOverdue } = milestone;
  if (closedAt !== undefined) return <Time at={closedAt} text={t("closedAt", { time: TIME })} />;
  if (dueAt === undefined) return <span>{t("noDueDate")}</span>;
  return isOverdue ? (
    <span class="overdue">
      <Icon name="alert" /> {t("overdue", { day: language.day(dueAt) })}
    </span>
  ) : (
    <span>{t("dueOn", { day: language.day(dueAt) })}</span>
  );
}

export function MilestoneProgress({ milestone: { closedItems, openItems } }: { milestone: MilestoneItem }) {
  const t = useWords(milestonesWords);
  const total = openItems + closedItems;
  return (
    <Progress
      label={t("percentDone", { percent: total === 0 ? 0 : Math.floor((closedItems / total) * 100) })}
      value={closedItems}
      max={Math.max(1, total)}
      text={t("itemCounts", { open: openItems, closed: closedItems })}
    />
  );
}

/** `GET {W}/milestones`. */
export function MilestonesPage(props: { shell: Shell; repo: RepoFrameProps; list: MilestoneListProps }) {
  const t = useWords(milestonesWords);
  const { list, repo, shell } = props;
  return (
    <RepoPage shell={shell} repo={repo} tab="issues" title={[t("milestones")]}>
      <h1 class="hidden-text">{t("milestones")}</h1>
      <PlanningNav repo={repo} current="milestones" />
      <MilestoneList {...list} />
    </RepoPage>
  );
}

/** `GET /milestones`: milestones of all repositories that the user owns or that are shared with them. */
export function OwnMilestonesPage({ list, shell }: { shell: Shell; list: MilestoneListProps }) {
  const t = useWords(milestonesWords);
  return (
    <PageFrame shell={shell} title={[t("milestones")]} width="wide">
      <h1>{t("milestones")}</h1>
      <MilestoneList {...list} />
    </PageFrame>
  );
}

/** `GET /org/{org}/milestones`. */
export function OrganizationMilestonesPage(props: {
  shell: Shell;
  organization: OrganizationProps;
  list: MilestoneListProps;
}) {
  const t = useWords(milestonesWords);
  return (
    <OrganizationPage
      shell={props.shell}
      organization={props.organization}
      tab="dashboard"
      title={[t("milestones")]}
      noIndex
    >
      <h1>{t("milestones")}</h1>
      <MilestoneList {...props.list} />
    </OrganizationPage>
  );
}
