import { Card } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { organizationHref } from "../links.ts";
import type { OrganizationProps } from "../organizations/frame.tsx";
import { OrganizationSettings } from "../organizations/settings.tsx";
import { LabelChip, type ShownLabel } from "./chip.tsx";
import { LabelList, type LabelListProps } from "./labels.tsx";
import { PlanningNav } from "./nav.tsx";
import { labelsWords } from "./words/index.ts";

export interface RepoLabelsProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly list: LabelListProps;
  /** The organization's labels, which its repositories have in addition to their own. */
  readonly inherited: readonly ShownLabel[];
  itemsHref(label: ShownLabel): string;
}

/** `GET {W}/labels`. */
export function RepoLabelsPage({ shell, repo, list, inherited, itemsHref }: RepoLabelsProps) {
  const t = useWords(labelsWords);
  return (
    <RepoPage shell={shell} repo={repo} tab="issues" title={[t("labels")]}>
      <h1 class="hidden-text">{t("labels")}</h1>
      <PlanningNav repo={repo} current="labels" />
      <LabelList {...list} />
      {inherited.length === 0 ? null : (
        <Card title={t("inherited", { name: repo.owner })} flush>
          <ul class="list">
            {inherited.map((label) => (
              <li class="label-row">
                <div>
                  <LabelChip label={label} href={itemsHref(label)} />
                </div>
                <p class="muted label-about">{label.description}</p>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </RepoPage>
  );
}

export interface OrganizationLabelsProps {
  readonly shell: Shell;
  readonly organization: OrganizationProps;
  readonly list: LabelListProps;
}

/** `GET /org/{org}/settings/labels`. */
export function OrganizationLabelsPage({ shell, organization, list }: OrganizationLabelsProps) {
  return (
    <OrganizationSettings shell={shell} organization={organization} section="labels">
      <LabelList {...list} />
    </OrganizationSettings>
  );
}

/** The URL of an organization's labels. */
export const organizationLabelsHref = (name: string) => organizationHref(name, "settings/labels");
