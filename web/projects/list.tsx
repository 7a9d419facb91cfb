import { type ProjectFilter, type ProjectOrder, projectOrders } from "../../src/projects/types.ts";
import { LinkButton } from "../components/button.tsx";
import { ListBar } from "../components/list-bar.tsx";
import { ListSearch } from "../components/list-search.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Progress } from "../components/progress.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { type Instant, TIME, Time } from "../components/time.tsx";
import { useWords } from "../language.ts";
import { withQuery } from "../links.ts";
import { ProjectFrame, type ProjectFrameProps } from "./frame.tsx";
import { projectsWords } from "./words/index.ts";

export interface ProjectItem {
  readonly id: number;
  readonly title: string;
  readonly isClosed: boolean;
  readonly updatedAt: Instant;
  /** Absent when the viewer may not be able to read all of them. */
  readonly counts?: { readonly open: number; readonly closed: number };
}

export interface ProjectListProps {
  readonly base: string;
  readonly projects: readonly ProjectItem[];
  readonly filter: ProjectFilter;
  readonly counts: { readonly open: number; readonly closed: number };
  readonly pages: PageOf;
  readonly mayWrite: boolean;
}

/** `GET {W}/projects` and `/{org}/-/projects`. */
export function ProjectsPage({ frame, list }: { frame: ProjectFrameProps; list: ProjectListProps }) {
  const t = useWords(projectsWords);
  return (
    <ProjectFrame frame={frame} title={[t("projects")]}>
      <h1 class="hidden-text">{t("projects")}</h1>
      <ProjectList {...list} />
    </ProjectFrame>
  );
}

export function ProjectList({ base, counts, filter, mayWrite, pages, projects }: ProjectListProps) {
  const t = useWords(projectsWords);
  const sort = (order: ProjectOrder) => (order === "newest" ? undefined : order);
  const href = (state: string) => withQuery(base, { state, q: filter.text, sort: sort(filter.order) });
  const states = (["open", "closed", "all"] as const).map((state) => ({
    label: t(state),
    href: href(state),
    current: filter.state === state,
    ...(state === "all" ? {} : { count: counts[state] }),
  }));
  return (
    <>
      <div class="row">
        <div class="grow">
          <ListSearch
            action={base}
            query={filter.text}
            sort={filter.order}
            sorts={projectOrders.map((value) => ({ value, label: t(`sort-${value}`) }))}
            label={t("findProject")}
            keep={{ state: filter.state }}
          />
        </div>
        {mayWrite ? (
          <LinkButton kind="primary" icon="plus" href={`${base}/new`} hotkey="c">
            {t("newProject")}
          </LinkButton>
        ) : null}
      </div>
      <Card flush>
        <ListBar label={t("state")} states={states} />
        {projects.length === 0 ? (
          <EmptyState icon="project" title={filter.text ? t("noMatch") : t("noProjects")}>
            {filter.text ? null : t("noProjectsHint")}
          </EmptyState>
        ) : (
          <ul class="list">
            {projects.map((project) => (
              <li class="progress-row">
                <div>
                  <h2>
                    <a href={`${base}/${project.id}`}>{project.title}</a>
                  </h2>
                  <p class="muted">
                    <Time at={project.updatedAt} text={t("updatedAt", { time: TIME })} />
                  </p>
                </div>
                {project.counts ? <CardsDone counts={project.counts} /> : null}
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Pagination of={pages} />
    </>
  );
}

function CardsDone({ counts }: { counts: { readonly open: number; readonly closed: number } }) {
  const t = useWords(projectsWords);
  const total = Math.max(1, counts.open + counts.closed);
  return (
    <Progress
      label={t("percentDone", { percent: Math.floor((counts.closed / total) * 100) })}
      value={counts.closed}
      max={total}
      text={t("itemCounts", counts)}
    />
  );
}
