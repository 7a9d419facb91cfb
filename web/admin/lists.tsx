import type { Visibility } from "../../src/access/levels.ts";
import { Avatar, type Person, PersonName } from "../components/avatar.tsx";
import { OpenButton, SubmitButton } from "../components/button.tsx";
import { ConfirmDialog, QuestionDialog } from "../components/dialog.tsx";
import { ListSearch } from "../components/list-search.tsx";
import { Count, type PageOf, Pagination } from "../components/navigation.tsx";
import { Badge, Card, EmptyState } from "../components/surface.tsx";
import { Time } from "../components/time.tsx";
import { RepoFilterBar } from "../explore/repo-filters.tsx";
import { filterFields, type RepoQuery } from "../explore/repo-query.ts";
import type { Children } from "../jsx/types.ts";
import { useLanguage, useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { repoHref } from "../links.ts";
import { useRepoSorts } from "../repos/repo-list.tsx";
import { reposWords } from "../repos/words/index.ts";
import { useAccountSorts } from "./account-orders.ts";
import { AdminFrame } from "./admin-frame.tsx";
import { adminWords } from "./words/index.ts";

export interface ListProps<Item> {
  readonly shell: Shell;
  readonly items: readonly Item[];
  readonly query: string;
  readonly sort: string;
  readonly pages: PageOf;
}

/** Search, table and pages, as in every list of the administration. */
function AdminList(props: {
  list: ListProps<unknown>;
  page: string;
  action: string;
  title: string;
  label: string;
  sorts: readonly { readonly value: string; readonly label: string }[];
  columns: readonly string[];
  /** Additional filter fields, and other query parameters to keep. */
  filters?: Children;
  keep?: Readonly<Record<string, string>>;
  /** Content above the table. */
  bar?: Children;
  children: Children;
}) {
  const t = useWords(adminWords);
  const { list, title, columns } = props;
  return (
    <AdminFrame shell={list.shell} page={props.page} title={title}>
      <ListSearch
        action={props.action}
        query={list.query}
        sort={list.sort}
        sorts={props.sorts}
        label={props.label}
        {...(props.keep ? { keep: props.keep } : {})}
      >
        {props.filters}
      </ListSearch>
      <Card title={title} flush actions={<Count value={list.pages.total} />}>
        {props.bar}
        {list.items.length === 0 ? (
          <EmptyState icon="search" title={t("noMatch")} />
        ) : (
          <div class="table-box">
            <table class="table table-stack">
              <caption class="hidden-text">{title}</caption>
              <thead>
                <tr>
                  {columns.map((column) => (
                    <th scope="col">{column}</th>
                  ))}
                  <th scope="col">
                    <span class="hidden-text">{t("actions")}</span>
                  </th>
                </tr>
              </thead>
              <tbody>{props.children}</tbody>
            </table>
          </div>
        )}
      </Card>
      <Pagination of={list.pages} />
    </AdminFrame>
  );
}

export interface EmailItem {
  readonly id: number;
  readonly email: string;
  readonly userId: number;
  readonly owner: Person;
  readonly isPrimary: boolean;
  readonly isProven: boolean;
}

/** Sort orders and filters of email addresses. */
export const EMAIL_SORTS = ["oldest", "newest", "address", "account"] as const;
export const EMAIL_STATES = ["confirmed", "unconfirmed"] as const;

/** `GET /-/admin/emails`. */
export function EmailsPage(props: ListProps<EmailItem> & { state: (typeof EMAIL_STATES)[number] | undefined }) {
  const t = useWords(adminWords);
  const sorts = EMAIL_SORTS.map((value) => ({ value, label: t(value === "account" ? "user" : value) }));
  return (
    <AdminList
      list={props}
      page="emails"
      action="/-/admin/emails"
      title={t("emails")}
      label={t("searchEmails")}
      sorts={sorts}
      columns={[t("email"), t("user"), t("state")]}
      filters={
        <select name="state" aria-label={t("state")} data-submit="">
          <option value="">{t("anyState")}</option>
          {EMAIL_STATES.map((value) => (
            <option value={value} selected={value === props.state}>
              {t(value === "confirmed" ? "confirmed" : "notConfirmed")}
            </option>
          ))}
        </select>
      }
    >
      {props.items.map(({ id, email, userId, owner, isPrimary, isProven }) => (
        <tr>
          <th scope="row" class="mono wrap">
            {email}
          </th>
          <td>
            <a href={`/-/admin/users/${userId}/edit`}>{owner.name}</a>
          </td>
          <td>
            <span class="row nowrap">
              {isPrimary ? <Badge>{t("primary")}</Badge> : null}
              {isProven ? (
                <Badge tone="ok" icon="check">
                  {t("confirmed")}
                </Badge>
              ) : (
                <Badge tone="warn" icon="clock">
                  {t("notConfirmed")}
                </Badge>
              )}
            </span>
          </td>
          <td class="end">
            <span class="row end-row">
              {isProven ? null : <ConfirmEmail id={id} userId={userId} />}
              {isPrimary ? null : <RemoveEmail id={id} email={email} userId={userId} name={owner.name} />}
            </span>
          </td>
        </tr>
      ))}
    </AdminList>
  );
}

function ConfirmEmail({ id, userId }: { id: number; userId: number }) {
  const t = useWords(adminWords);
  return (
    <form method="post" action="/-/admin/emails/activate">
      <input type="hidden" name="uid" value={String(userId)} />
      <input type="hidden" name="id" value={String(id)} />
      <input type="hidden" name="from" value="emails" />
      <SubmitButton small>{t("confirmAddress")}</SubmitButton>
    </form>
  );
}

function RemoveEmail({ id, email, userId, name }: { id: number; email: string; userId: number; name: string }) {
  const t = useWords(adminWords);
  return (
    <>
      <OpenButton kind="danger" small opens={`remove-${id}`}>
        {t("remove")}
      </OpenButton>
      <QuestionDialog
        id={`remove-${id}`}
        title={t("removeQuestion", { name: email })}
        action="/-/admin/emails/delete"
        fields={{ uid: String(userId), id: String(id) }}
        label={t("remove")}
      >
        {t("removeAddressLead", { name })}
      </QuestionDialog>
    </>
  );
}

export interface OrganizationItem {
  readonly person: Person;
  readonly fullName: string;
  readonly visibility: Visibility;
  readonly repoCount: number;
  readonly createdAt: number;
}

/** `GET /-/admin/orgs`. */
export function OrganizationsPage(props: ListProps<OrganizationItem>) {
  const t = useWords(adminWords);
  const sorts = useAccountSorts();
  return (
    <AdminList
      list={props}
      page="organizations"
      action="/-/admin/orgs"
      title={t("organizations")}
      label={t("searchOrganizations")}
      sorts={sorts}
      columns={[t("organization"), t("visibility"), t("repositories"), t("created")]}
    >
      {props.items.map(({ person, fullName, visibility, repoCount, createdAt }) => (
        <tr>
          <th scope="row">
            <div class="row">
              <Avatar person={person} />
              <div>
                <PersonName person={person} /> <span class="muted">{fullName}</span>
              </div>
            </div>
          </th>
          <td data-label={t("visibility")}>{t(`visibility-${visibility}`)}</td>
          <td class="num" data-label={t("repositories")}>
            {repoCount}
          </td>
          <td data-label={t("created")}>
            <Time at={createdAt} />
          </td>
          <td class="end">
            <a href={`/org/${encodeURIComponent(person.name)}/settings`}>{t("settings")}</a>
          </td>
        </tr>
      ))}
    </AdminList>
  );
}

export interface RepoItem {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly isPrivate: boolean;
  readonly isArchived: boolean;
  readonly sizeBytes: number;
  readonly updatedAt: number;
}

export interface ReposProps extends ListProps<RepoItem> {
  readonly asked: RepoQuery;
  /** Days in which a deleted repository can be restored; 0: it cannot be. */
  readonly binDays: number;
}

/** `GET /-/admin/repos`. */
export function ReposPage(props: ReposProps) {
  const t = useWords(adminWords);
  const ofRepos = useWords(reposWords);
  const language = useLanguage();
  const sorts = useRepoSorts();
  return (
    <AdminList
      list={props}
      page="repositories"
      action="/-/admin/repos"
      title={t("repositories")}
      label={t("searchRepositories")}
      sorts={sorts}
      keep={filterFields(props.asked.filters)}
      bar={<RepoFilterBar page="/-/admin/repos" asked={props.asked} languages={[]} />}
      columns={[t("repository"), t("state"), t("size"), t("updated")]}
    >
      {props.items.map(({ id, owner, name, isPrivate, isArchived, sizeBytes, updatedAt }) => (
        <tr>
          <th scope="row" class="wrap">
            <a href={repoHref({ owner, name })}>
              {owner}/{name}
            </a>
          </th>
          <td>
            <span class="row">
              {isPrivate ? <Badge icon="lock">{t("private")}</Badge> : null}
              {isArchived ? <Badge icon="archive">{t("archived")}</Badge> : null}
            </span>
          </td>
          <td class="num" data-label={t("size")}>
            {language.size(sizeBytes)}
          </td>
          <td data-label={t("updated")}>
            <Time at={updatedAt} />
          </td>
          <td class="end">
            <OpenButton kind="danger" small opens={`delete-${id}`}>
              {t("deleteRepository")}
            </OpenButton>
            <ConfirmDialog
              id={`delete-${id}`}
              title={t("deleteQuestion", { name: `${owner}/${name}` })}
              action={`/-/admin/repos/delete?id=${id}`}
              field="confirm_name"
              typed={`${owner}/${name}`}
              label={t("deleteRepository")}
            >
              <p>{props.binDays > 0 ? ofRepos("deleteAboutBin", { count: props.binDays }) : ofRepos("deleteAbout")}</p>
            </ConfirmDialog>
          </td>
        </tr>
      ))}
    </AdminList>
  );
}
