import type { SeenIssue } from "../../src/issues/types.ts";
import type { WebServices } from "../area.ts";
import { SubmitButton } from "../components/button.tsx";
import { CheckField } from "../components/form.tsx";
import { useWords } from "../language.ts";
import { homeOf } from "../repos/frame.ts";
import { projectsHref } from "./home.ts";
import { projectsWords } from "./words/index.ts";

/** The boards section of an item's page. */
export interface ItemProjectsProps {
  readonly issueId: number;
  /** URL that the forms post to. */
  readonly action: string;
  /** URL of the item's page. */
  readonly here: string;
  readonly on: readonly {
    readonly id: number;
    readonly title: string;
    readonly href: string;
    readonly columnId: number | undefined;
    readonly columns: readonly { readonly id: number; readonly title: string }[];
  }[];
  /** Boards it can be added to. */
  readonly usable: readonly { readonly id: number; readonly title: string }[];
  readonly mayWrite: boolean;
}

/** Builds these properties. @param here the path of the item's page */
export function itemProjectsProps(
  { boards, itemProjects, projects }: WebServices,
  item: SeenIssue,
  here: string,
  mayWrite: boolean,
): ItemProjectsProps {
  const { issue, seen } = item;
  const columnOf = itemProjects.columnsOf(item);
  const on = (itemProjects.of([item]).get(issue.id) ?? []).map((project) => {
    const home = project.repoId === undefined ? projects.homeOf(seen.principal, seen.owner) : seen;
    return {
      id: project.id,
      title: project.title,
      href: `${projectsHref(home)}/${project.id}`,
      columnId: columnOf.get(project.id),
      columns: boards.columns({ home, project }).map(({ id, title }) => ({ id, title })),
    };
  });
  const usable = mayWrite ? itemProjects.usable(seen).map(({ id, title }) => ({ id, title })) : [];
  return { issueId: issue.id, action: homeOf(seen, "issues/projects"), here, on, usable, mayWrite };
}

/** The boards section of an item's page: its boards with their columns, and a form to change them. */
export function ItemProjects({ action, here, issueId, mayWrite, on, usable }: ItemProjectsProps) {
  const t = useWords(projectsWords);
  const present = new Set(on.map(({ id }) => id));
  const choices = [...on.filter(({ id }) => !usable.some((each) => each.id === id)), ...usable];
  return (
    <>
      {on.length === 0 ? <p class="muted">{t("onNone")}</p> : null}
      {on.map((project) => (
        <div class="item-project">
          <a href={project.href}>{project.title}</a>
          {mayWrite && project.columns.length > 1 ? (
            <form class="row" method="post" action={`${action}/column`}>
              <input type="hidden" name="issue_id" value={String(issueId)} />
              <input type="hidden" name="redirect_to" value={here} />
              <select name="id" aria-label={t("columnOf", { title: project.title })} data-submit="">
                {project.columns.map(({ id, title }) => (
                  <option value={String(id)} selected={id === project.columnId}>
                    {title}
                  </option>
                ))}
              </select>
              <SubmitButton small>{t("move")}</SubmitButton>
            </form>
          ) : (
            <span class="muted"> {project.columns.find(({ id }) => id === project.columnId)?.title}</span>
          )}
        </div>
      ))}
      {mayWrite && choices.length > 0 ? (
        <details>
          <summary>{t("chooseProjects")}</summary>
          <form class="form" method="post" action={`${action}?issue_ids=${issueId}`}>
            <input type="hidden" name="redirect_to" value={here} />
            {choices.map(({ id, title }) => (
              <CheckField name={`project-${id}`} label={title} checked={present.has(id)} />
            ))}
            <SubmitButton small>{t("save")}</SubmitButton>
          </form>
        </details>
      ) : null}
    </>
  );
}
