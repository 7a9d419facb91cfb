import type { Person } from "../components/avatar.tsx";
import { SubmitButton } from "../components/button.tsx";
import { CheckField, FormActions, SelectField, TextField } from "../components/form.tsx";
import { useWords } from "../language.ts";
import { pullWords } from "./words/index.ts";

/** What is done about reviewers, each a form that leads back to the page. */

export function AskForm(props: { candidates: readonly string[]; href: string; teams: readonly string[] }) {
  const { candidates, href, teams } = props;
  const t = useWords(pullWords);
  const choices = ["", ...teams].map((name) => ({ value: name, label: name || t("noTeam") }));
  return (
    <details class="side-change">
      <summary class="btn btn-small btn-quiet">{t("askReview")}</summary>
      <form class="form" method="post" action={`${href}/request_review`}>
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
      </form>
    </details>
  );
}

export function AskAgain({ href, name }: { href: string; name: string }) {
  const t = useWords(pullWords);
  return (
    <form method="post" action={`${href}/request_review`}>
      <input type="hidden" name="reviewer" value={name} />
      <IconSubmit icon="sync" label={t("askAgain", { name })} />
    </form>
  );
}

/** A person, or the name of a team. */
export function Withdraw({ href, who }: { href: string; who: Person | string }) {
  const t = useWords(pullWords);
  const isTeam = typeof who === "string";
  const name = isTeam ? who : who.name;
  return (
    <form method="post" action={`${href}/request_review`}>
      <input type="hidden" name="action" value="detach" />
      <input type="hidden" name={isTeam ? "team" : "reviewer"} value={name} />
      <IconSubmit icon="x" label={t("withdraw", { name })} />
    </form>
  );
}

export function DismissForm({ href, id }: { href: string; id: number }) {
  const t = useWords(pullWords);
  return (
    <details class="side-change">
      <summary class="btn btn-small btn-quiet">{t("dismissReview")}</summary>
      <form class="form" method="post" action={`${href}/dismiss_review`}>
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
