import { UserSettings } from "../account/settings.tsx";
import { AdminFrame } from "../admin/admin-frame.tsx";
import { SubmitButton } from "../components/button.tsx";
import { SelectField, TextField } from "../components/form.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Badge, Card, EmptyState } from "../components/surface.tsx";
import { type Instant, Time } from "../components/time.tsx";
import { useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { withQuery } from "../links.ts";
import { auditWords } from "./words/index.ts";

export interface LogEntry {
  /** A sentence about what happened. */
  readonly text: string;
  readonly method?: string;
  readonly isFailure: boolean;
  readonly account: string;
  /** Who did it, if it was somebody else. */
  readonly actor?: string;
  readonly address: string;
  readonly at: Instant;
}

export interface OwnLogProps {
  readonly shell: Shell;
  readonly entries: readonly LogEntry[];
  readonly pages: PageOf;
}

/** `GET /user/settings/security/log`. */
export function OwnLogPage({ shell, entries, pages }: OwnLogProps) {
  const t = useWords(auditWords);
  return (
    <UserSettings shell={shell} section="security-log">
      <p class="muted">{t("securityLogLead")}</p>
      <Card flush>
        {entries.length === 0 ? (
          <EmptyState icon="history" title={t("nothing")} />
        ) : (
          <Entries entries={entries} caption={t("securityLog")} />
        )}
      </Card>
      <Pagination of={pages} />
    </UserSettings>
  );
}

export interface AdminLogProps extends OwnLogProps {
  readonly account: string;
  readonly action: string;
  readonly actions: readonly { readonly value: string; readonly label: string }[];
}

/** `GET /-/admin/security-log`. */
export function AdminLogPage({ shell, entries, pages, account, action, actions }: AdminLogProps) {
  const t = useWords(auditWords);
  return (
    <AdminFrame shell={shell} page="security-log" title={t("securityLog")}>
      <p class="muted">{t("adminLead")}</p>
      <form class="form" method="get" action="/-/admin/security-log">
        <div class="field-row">
          <TextField name="account" label={t("userName")} value={account} autocomplete="off" maxLength={254} code />
          <SelectField
            name="action"
            label={t("action")}
            value={action}
            choices={[{ value: "", label: t("anyAction") }, ...actions]}
          />
        </div>
        <div class="form-actions">
          <SubmitButton>{t("show")}</SubmitButton>
        </div>
      </form>
      <Card flush>
        {entries.length === 0 ? (
          <EmptyState icon="history" title={t("nothingFound")} />
        ) : (
          <Entries entries={entries} caption={t("securityLog")} withAccounts />
        )}
      </Card>
      <Pagination of={pages} />
    </AdminFrame>
  );
}

/** Links to the events of only that account. */
function OfAccount({ name }: { name: string }) {
  return <a href={withQuery("/-/admin/security-log", { account: name })}>{name}</a>;
}

function Entries(props: { entries: readonly LogEntry[]; caption: string; withAccounts?: boolean }) {
  const t = useWords(auditWords);
  return (
    <div class="table-box">
      <table class="table table-stack">
        <caption class="hidden-text">{props.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{t("action")}</th>
            {props.withAccounts ? <th scope="col">{t("account")}</th> : null}
            <th scope="col">{t("from")}</th>
            <th scope="col">{t("when")}</th>
          </tr>
        </thead>
        <tbody>
          {props.entries.map((entry) => (
            <tr>
              <th scope="row">
                <div>
                  {entry.isFailure ? <Badge tone="warn">{entry.text}</Badge> : entry.text}
                  {entry.method ? <span class="muted"> {entry.method}</span> : null}
                  {entry.actor ? <p class="hint">{t("byName", { name: entry.actor })}</p> : null}
                </div>
              </th>
              {props.withAccounts ? (
                <td data-label={t("account")}>{entry.account === "" ? null : <OfAccount name={entry.account} />}</td>
              ) : null}
              <td data-label={t("from")}>
                {entry.address === "" ? (
                  <span class="muted">{t("noAddress")}</span>
                ) : (
                  <span class="mono">{entry.address}</span>
                )}
              </td>
              <td data-label={t("when")}>
                <Time at={entry.at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
