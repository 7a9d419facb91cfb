import type { BurnDown } from "../../src/milestones/burn-down.ts";
import { LinkButton, SubmitButton } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import { ItemTitle } from "../components/item-title.tsx";
import { ListBar } from "../components/list-bar.tsx";
import { Pager } from "../components/navigation.tsx";
import { Prose } from "../components/prose.tsx";
import { Badge, Card, EmptyState } from "../components/surface.tsx";
import { type Instant, TIME, Time } from "../components/time.tsx";
import type { SafeHtml } from "../jsx/raw.ts";
import { LabelChip, type ShownLabel } from "../labels/chip.tsx";
import { PlanningNav } from "../labels/nav.tsx";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { repoHref } from "../links.ts";
import { BurnDownChart } from "./burn-down.tsx";
import { MilestoneDates, type MilestoneItem, MilestoneProgress } from "./milestones.tsx";
import { milestonesWords } from "./words/index.ts";

/** An issue or a pull request of a milestone. */
export interface MilestoneEntry {
  readonly number: number;
  readonly title: string;
  readonly href: string;
  readonly isClosed: boolean;
  readonly createdAt: Instant;
  readonly labels: readonly ShownLabel[];
}

export interface MilestonePageProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly milestone: MilestoneItem;
  readonly description: SafeHtml;
  readonly burnDown: BurnDown | undefined;
  readonly state: "open" | "closed";
  readonly items: readonly MilestoneEntry[];
  readonly pages: { readonly newer: string | undefined; readonly older: string | undefined };
  readonly mayWrite: boolean;
}

/** `GET {W}/milestone/{id}`. */
export function MilestonePage(props: MilestonePageProps) {
  const { burnDown, description, items, mayWrite, milestone, repo, shell, state } = props;
  const t = useWords(milestonesWords);
  const base = repoHref(repo, `milestones/${milestone.id}`);
  const isClosed = milestone.closedAt !== undefined;
  const tab = (wanted: typeof state, count: number) => ({
    label: t(wanted),
    href: `${milestone.href}?state=${wanted}`,
    count,
    current: wanted === state,
  });
  return (
    <RepoPage shell={shell} repo={repo} tab="issues" title={[milestone.title]}>
      <PlanningNav repo={repo} current="milestones" />
      <div class="page-head">
        <h1>
          {milestone.title}{" "}
          {isClosed ? <Badge tone="merged">{t("closed")}</Badge> : <Badge tone="ok">{t("open")}</Badge>}
        </h1>
        {mayWrite ? (
          <>
            <LinkButton icon="pencil" href={`${base}/edit`} hotkey="e">
              {t("edit")}
            </LinkButton>
            <form method="post" action={`${base}/${isClosed ? "open" : "close"}`}>
              <SubmitButton>{isClosed ? t("reopen") : t("close")}</SubmitButton>
            </form>
          </>
        ) : null}
      </div>
      <div class="progress-row">
        <p class="muted">
          <MilestoneDates milestone={milestone} />
        </p>
        <MilestoneProgress milestone={milestone} />
      </div>
      {String(description) === "" ? null : (
        <div class="start-text">
          <Prose html={description} />
        </div>
      )}
      {burnDown ? <BurnDownChart burnDown={burnDown} /> : null}
      <Card flush>
        <ListBar label={t("state")} states={[tab("open", milestone.openItems), tab("closed", milestone.closedItems)]} />
        {items.length === 0 ? (
          <EmptyState icon="issue-opened" title={t(state === "open" ? "noOpenItems" : "noClosedItems")} />
        ) : (
          <ul class="list">
            {items.map((item) => (
              <li class="milestone-item">
                <span class={item.isClosed ? "item-closed" : "item-open"}>
                  <Icon
                    name={item.isClosed ? "issue-closed" : "issue-opened"}
                    label={t(item.isClosed ? "closed" : "open")}
                  />
                </span>
                <div>
                  <a class="strong" href={item.href}>
                    <ItemTitle text={item.title} />
                  </a>{" "}
                  {item.labels.map((label) => (
                    <>
                      {" "}
                      <LabelChip label={label} />
                    </>
                  ))}
                  <p class="muted">
                    #{item.number} · <Time at={item.createdAt} text={t("openedAt", { time: TIME })} />
                  </p>
                </div>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Pager newer={props.pages.newer} older={props.pages.older} />
    </RepoPage>
  );
}
