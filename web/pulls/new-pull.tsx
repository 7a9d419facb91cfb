import type { Comparison } from "../../src/content/compare/service.ts";
import type { Call } from "../../src/http/route.ts";
import { Failure } from "../../src/kernel/errors.ts";
import { shellWord } from "../../src/kernel/shell-word.ts";
import { mergeSettings } from "../../src/repos/settings/defaults.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import { SubmitButton } from "../components/button.tsx";
import { CheckField, FormActions, TextField } from "../components/form.tsx";
import { Card, Notice } from "../components/surface.tsx";
import { TextBox, type TextBoxProps } from "../conversation/comment-form.tsx";
import { boxActions } from "../conversation/item-data.ts";
import { planChoices } from "../conversation/plan-choices.ts";
import { PeopleTicks, type PlanChoices, PlanFields } from "../conversation/plan-fields.tsx";
import { Form } from "../form-data.ts";
import { TemplateFields, type TemplateFieldsProps } from "../issue-templates/fields.tsx";
import { fieldTexts, submittedOf } from "../issue-templates/submitted.ts";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { personOf } from "../people.ts";
import { firstTexts } from "./first-texts.ts";
import { pullHref } from "./shown.ts";
import { pullWords } from "./words/index.ts";

/** The form under a comparison of two branches that creates a pull request, or a link to the existing one. */
export async function newPullCard(services: WebServices, call: Call, comparison: Comparison): Promise<Children | null> {
  const { base, from, head, symmetric, total } = comparison;
  const { pulls } = services;
  const isOffered = base.at.kind === "branch" && head.at.kind === "branch" && symmetric && from !== undefined;
  const isSame = base.seen.repo.id === head.seen.repo.id && base.at.name === head.at.name;
  if (!isOffered || isSame || base.seen.repo.id !== seenRepo(call).repo.id) return null;
  const settings = mergeSettings(base.seen.repo.settings);
  // A pull request without commits would immediately be detected as merged.
  if (total === 0 && settings.autodetectManualMerge) return null;
  const pair = {
    repoId: base.seen.repo.id,
    baseBranch: base.at.name,
    headRepoId: head.seen.repo.id,
    headBranch: head.at.name,
  };
  const open = pulls.openBetween(pair);
  const item = open && pulls.byId(call.principal, open.issueId);
  if (item) return <ExistingPull title={`${item.issue.title} #${item.issue.number}`} href={pullHref(item)} />;
  if (!call.principal.user || base.seen.repo.isArchived || !mayRead(services, base.seen)) return null;
  const { body, template, title } = await firstTexts(services, call, comparison);
  const labels = template ? services.labels.usableNamed(base.seen, template.labels).map(({ id }) => id) : [];
  const chosen = { labels, assignees: template?.assignees ?? [], milestone: 0, projects: [] };
  const fields = template?.fields;
  return (
    <NewPullForm
      action={call.path}
      title={title}
      box={{ id: "pull-text", value: body, draft: call.path, ...boxActions(services, { seen: base.seen }) }}
      template={template?.path ?? ""}
      form={
        fields && {
          fields,
          problems: [],
          submitted: submittedOf(fields, new Form({})),
          texts: await fieldTexts(services, base.seen, fields),
        }
      }
      plan={planChoices(services, base.seen, chosen, true)}
      reviewers={reviewersFor(services, base.seen)}
      teams={teamsFor(services, base.seen)}
      isAcross={base.seen.repo.id !== head.seen.repo.id}
      isEmpty={total === 0}
      allowsEdits={settings.defaultAllowMaintainerEdit}
      agit={`git push origin ${shellWord(`HEAD:refs/for/${base.at.name}`)} -o ${shellWord(`topic=${head.at.name}`)}`}
    />
  );
}

/** Suggested reviewers, if the user may request reviews; the author cannot be one. */
function reviewersFor({ reviewRequests }: WebServices, seen: SeenRepo): PlanChoices["assignees"] {
  if (!reviewRequests.mayChoose(seen)) return [];
  const me = seen.principal.user?.id;
  return reviewRequests
    .candidates(seen)
    .filter(({ id, kind }) => id !== me && kind !== "organization")
    .map((user) => ({ ...personOf(user), isChosen: false }));
}

/** Names of the teams the user may request a review from. */
function teamsFor({ reviewRequests }: WebServices, seen: SeenRepo): string[] {
  return reviewRequests.mayChoose(seen) ? reviewRequests.candidateTeams(seen).map(({ name }) => name) : [];
}

function mayRead({ pulls }: WebServices, seen: SeenRepo): boolean {
  try {
    pulls.requireReadable(seen);
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

function ExistingPull({ href, title }: { href: string; title: string }) {
  const t = useWords(pullWords);
  return (
    <Notice kind="info">
      <p>{t.jsx("existing", { title, link: (inner) => <a href={href}>{inner}</a> })}</p>
    </Notice>
  );
}

interface NewPullProps {
  action: string;
  title: string;
  box: Omit<TextBoxProps, "name" | "label">;
  /** Path of the template; empty: none. */
  template: string;
  /** The fields, if the template is a form. */
  form: TemplateFieldsProps | undefined;
  plan: PlanChoices;
  reviewers: PlanChoices["assignees"];
  teams: readonly string[];
  isAcross: boolean;
  isEmpty: boolean;
  allowsEdits: boolean;
  /** The command that does the same without a branch. */
  agit: string;
}

function NewPullForm(props: NewPullProps) {
  const { agit, box, form, reviewers, teams, template } = props;
  const t = useWords(pullWords);
  return (
    <Card title={t("newPull")} id="new-pull">
      {props.isEmpty ? <Notice kind="info">{t("isEmptyPull")}</Notice> : null}
      <form class="item-columns" method="post" action={props.action} data-ctrl-enter="">
        <div class="form">
          <input type="hidden" name="template-file" value={template} />
          <TextField name="title" label={t("title")} value={props.title} maxLength={255} required />
          {form ? <TemplateFields {...form} /> : <TextBox {...box} name="content" label={t("text")} rows={8} />}
          <CheckField name="draft" label={t("asDraft")} />
          {props.isAcross ? (
            <>
              <input type="hidden" name="asks_for_edits" value="on" />
              <CheckField name="allow_maintainer_edit" label={t("allowEdits")} checked={props.allowsEdits} />
            </>
          ) : null}
          <FormActions>
            <SubmitButton kind="primary" icon="git-pull-request">
              {t("create")}
            </SubmitButton>
          </FormActions>
          <details>
            <summary>{t("withoutBranch")}</summary>
            <pre tabindex={0}>{agit}</pre>
          </details>
        </div>
        <PlanFields {...props.plan}>
          {reviewers.length > 0 ? <PeopleTicks name="reviewers" label={t("reviewers")} people={reviewers} /> : null}
          {teams.length > 0 ? <TeamTicks names={teams} /> : null}
        </PlanFields>
      </form>
    </Card>
  );
}

function TeamTicks({ names }: { names: readonly string[] }) {
  const t = useWords(pullWords);
  return (
    <fieldset class="side-part">
      <legend>{t("reviewTeams")}</legend>
      <ul class="side-ticks">
        {names.map((name) => (
          <li>
            <label>
              <input type="checkbox" name="team_reviewers" value={name} /> {name}
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
