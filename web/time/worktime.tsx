import { type WorktimePart, worktimeParts } from "../../src/time/types.ts";
import { SubmitButton } from "../components/button.tsx";
import { TextField } from "../components/form.tsx";
import { Tabs } from "../components/navigation.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { organizationHref, withQuery } from "../links.ts";
import { OrganizationPage, type OrganizationProps } from "../organizations/frame.tsx";
import { timeWords } from "./words/index.ts";

export interface WorktimeProps {
  readonly shell: Shell;
  readonly organization: OrganizationProps;
  /** Days as `YYYY-MM-DD`, inclusive. */
  readonly from: string;
  readonly to: string;
  readonly part: WorktimePart;
  /** Highest first; without a name: items without a milestone, or deleted accounts. */
  readonly rows: readonly {
    readonly name: string | undefined;
    readonly href: string | undefined;
    readonly duration: string;
  }[];
  readonly total: string;
}

const labels = { repos: "byRepos", milestones: "byMilestones", members: "byMembers" } as const;

/** `GET /org/{org}/worktime`. */
export function WorktimePage({ shell, organization, from, to, part, rows, total }: WorktimeProps) {
  const t = useWords(timeWords);
  const home = organizationHref(organization.name, "worktime");
  const column = t(labels[part]);
  return (
    <OrganizationPage shell={shell} organization={organization} tab="dashboard" title={[t("worktime")]} noIndex>
      <h1>{t("worktime")}</h1>
      <form class="form" method="get" action={home}>
        <input type="hidden" name="by" value={part} />
        <div class="field-row">
          <TextField name="from" type="date" label={t("from")} value={from} />
          <TextField name="to" type="date" label={t("to")} value={to} />
        </div>
        <div class="form-actions">
          <SubmitButton>{t("show")}</SubmitButton>
        </div>
      </form>
      <Tabs
        label={t("summedBy")}
        tabs={worktimeParts.map((each) => ({
          label: t(labels[each]),
          href: withQuery(home, { by: each, from, to }),
          current: each === part,
        }))}
      />
      <Card flush>
        {rows.length === 0 ? (
          <EmptyState icon="clock" title={t("noWorktime")} />
        ) : (
          <div class="table-box">
            <table class="table">
              <caption class="hidden-text">{t("worktime")}</caption>
              <thead>
                <tr>
                  <th scope="col">{column}</th>
                  <th scope="col">{t("worktime")}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map(({ name, href, duration }) => (
                  <tr>
                    <th scope="row">
                      {href ? <a href={href}>{name}</a> : (name ?? (part === "members" ? t("goneAccount") : null))}
                    </th>
                    <td>{duration}</td>
                  </tr>
                ))}
              </tbody>
              <tfoot>
                <tr>
                  <th scope="row">{t("total")}</th>
                  <td>{total}</td>
                </tr>
              </tfoot>
            </table>
          </div>
        )}
      </Card>
    </OrganizationPage>
  );
}
