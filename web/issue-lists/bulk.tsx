import { OpenButton } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { Icon } from "../components/icon.tsx";
import { OpenedPart } from "../components/opened-part.tsx";
import { useWords } from "../language.ts";
import { issueListWords } from "./words/index.ts";

/** Actions for several items of a repository at once. */
export interface BulkChoices {
  /** Base URL of the list's forms: `/owner/repo/issues`. */
  readonly action: string;
  readonly labels: readonly { readonly id: number; readonly name: string }[];
  readonly milestones: readonly { readonly id: number; readonly title: string }[];
  readonly people: readonly { readonly id: number; readonly login: string }[];
  /** As `acme/crew`. */
  readonly teams: readonly string[];
  readonly mayDelete: boolean;
  /** Days in which deleted items can be restored. */
  readonly days: number;
}

/** Actions for the checked rows. @param choices or the URL to fetch them from when the menu is opened */
export function BulkBar({ choices }: { choices: BulkChoices | string }) {
  const t = useWords(issueListWords);
  const isThere = typeof choices !== "string";
  return (
    <details class="bulk" open={isThere}>
      <summary>
        <Icon name="pencil" /> {t("changeSelected")}
      </summary>
      {isThere ? <BulkBody choices={choices} /> : <OpenedPart href={choices}>{t("changeSelected")}</OpenedPart>}
    </details>
  );
}

/** Buttons that each submit the list's form to their own URL. */
export function BulkBody({ choices }: { choices: BulkChoices }) {
  const t = useWords(issueListWords);
  const { action, days, labels, mayDelete, milestones, people, teams } = choices;
  return (
    <div class="bulk-body">
      <label class="bulk-all needs-script">
        <input type="checkbox" data-select-all="" /> {t("selectAll")}
      </label>
      <span class="bulk-group">
        <button type="submit" class="btn btn-small" formaction={`${action}/status?action=close`}>
          {t("close")}
        </button>
        <button type="submit" class="btn btn-small" formaction={`${action}/status?action=open`}>
          {t("reopen")}
        </button>
      </span>
      {labels.length > 0 ? (
        <span class="bulk-group">
          <select name="label" aria-label={t("label")}>
            {labels.map(({ id, name }) => (
              <option value={id}>{name}</option>
            ))}
          </select>
          <button type="submit" class="btn btn-small" formaction={`${action}/labels?action=attach`}>
            {t("addLabel")}
          </button>
          <button type="submit" class="btn btn-small" formaction={`${action}/labels?action=detach`}>
            {t("removeLabel")}
          </button>
        </span>
      ) : null}
      <span class="bulk-group">
        <select name="milestone" aria-label={t("milestone")}>
          <option value="0">{t("noMilestone")}</option>
          {milestones.map(({ id, title }) => (
            <option value={id}>{title}</option>
          ))}
        </select>
        <button type="submit" class="btn btn-small" formaction={`${action}/milestone`}>
          {t("setMilestone")}
        </button>
      </span>
      <span class="bulk-group">
        <select name="assignee" aria-label={t("assignee")}>
          <option value="0">{t("nobody")}</option>
          {people.map(({ id, login }) => (
            <option value={id}>{login}</option>
          ))}
          {teams.map((name) => (
            <option value={name}>{name}</option>
          ))}
        </select>
        <button type="submit" class="btn btn-small" formaction={`${action}/assignee?action=attach`}>
          {t("assign")}
        </button>
      </span>
      {mayDelete ? (
        <>
          <OpenButton small kind="danger" opens="delete-selected">
            {t("delete")}
          </OpenButton>
          <Dialog id="delete-selected" title={t("deleteSelected")}>
            <p>{days === 0 ? t("deletedForGood") : t("deletedForDays", { count: days })}</p>
            <button type="submit" class="btn btn-danger" formaction={`${action}/delete`}>
              <Icon name="trash" /> {t("delete")}
            </button>
          </Dialog>
        </>
      ) : null}
    </div>
  );
}
