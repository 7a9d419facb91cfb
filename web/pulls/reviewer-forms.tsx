import type { Person } from "../components/avatar.tsx";
import { SubmitButton } from "../components/button.tsx";
import { CheckField, FormActions, SelectField, TextField } from "../components/form.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { pullWords } from "./words/index.ts";

/** Forms that manage reviewers; each returns to the page. */

/** The pull request that a form is about. */
export interface AboutPull {
  readonly id: number;
  readonly href: string;
  /** Base URL of the forms of all items. */
  readonly items: string;
}

function RequestForm({ children, pull, ...form }: { children: Children; class?: string; pull: AboutPull }) {
  return (
    <form {...form} method="post" action={`${pull.items}/request_review`}>
      <input type="hidden" name="issue_ids" value={String(pull.id)} />
      <input type="hidden" name="redirect_to" value={pull.href} />
      {children}
    </form>
  );
}

export function AskForm(props: { candidates: readonly string[]; pull: AboutPull; teams: readonly string[] }) {
  const { candidates, pull, teams } = props;
  const t = useWords(pullWords);
  const choices = ["", ...teams].map((name) => ({ value: name, label: name || t("noTeam") }));
  return (
    <details class="side-change">
      <summary class="btn btn-small btn-quiet">{t("askReview")}</summary>
      <RequestForm class="form" pull={pull}>
        <TextField
          name="reviewer"
          label={t("reviewerName")}
          autocomplete="off"
          code
          required={teams.length === 0}
          list="reviewer-names"
        />
        <datalist id="reviewer-names">
          {candidates.map((name) => (
            <option value={name} />
          ))}
        </datalist>
        {teams.length === 0 ? null : <SelectField name="team" label={t("team")} value="" choices={choices} />}
        <FormActions>
          <SubmitButton small>{t("askReview")}</SubmitButton>
        </FormActions>
      </RequestForm>
    </details>
  );
}

export function AskAgain({ name, pull }: { name: string; pull: AboutPull }) {
  const t = useWords(pullWords);
  return (
    <RequestForm pull={pull}>
      <input type="hidden" name="reviewer" value={name} />
      <IconSubmit icon="sync" label={t("askAgain", { name })} />
    </RequestForm>
  );
}

/** For a person, or the name of a team. */
export function Withdraw({ pull, who }: { pull: AboutPull; who: Person | string }) {
  const t = useWords(pullWords);
  const isTeam = typeof who === "string";
  const name = isTeam ? who : who.name;
  return (
    <RequestForm pull={pull}>
      <input type="hidden" name="action" value="detach" />
      <input type="hidden" name={isTeam ? "team" : "reviewer"} value={name} />
      <IconSubmit icon="x" label={t("withdraw", { name })} />
    </RequestForm>
  );
}

export function DismissForm({ id, items }: { id: number; items: string }) {
  const t = useWords(pullWords);
  return (
    <details class="side-change">
      <summary class="btn btn-small btn-quiet">{t("dismissReview")}</summary>
      <form class="form" method="post" action={`${items}/dismiss_review`}>
        <input type="hidden" name="review_id" value={String(id)} />
        <TextField name="message" label={t("dismissReason")} maxLength={500} />
        <FormActions>
          <SubmitButton small>{t("dismissReview")}</SubmitButton>
        </FormActions>
      </form>
    </details>
  );
}

export function MaintainersForm({ href, isAllowed }: { href: string; isAllowed: boolean }) {
  const t = useWords(pullWords);
  return (
    <form class="form" method="post" action={`${href}/set_allow_maintainer_edit`}>
      <CheckField name="allow_maintainer_edit" label={t("allowMaintainers")} checked={isAllowed} />
      <FormActions>
        <SubmitButton small>{t("save")}</SubmitButton>
      </FormActions>
    </form>
  );
}

function IconSubmit({ icon, label }: { icon: "sync" | "x"; label: string }) {
  return (
    <button type="submit" class={`btn btn-small btn-quiet btn-icon i-${icon}`} title={label}>
      <span class="hidden-text">{label}</span>
    </button>
  );
}
