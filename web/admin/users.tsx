import { Avatar } from "../components/avatar.tsx";
import { IconLink, LinkButton } from "../components/button.tsx";
import { ListSearch } from "../components/list-search.tsx";
import { Count, type PageOf, Pagination } from "../components/navigation.tsx";
import { Badge, Card, EmptyState } from "../components/surface.tsx";
import { type Instant, Time } from "../components/time.tsx";
import { useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { userHref } from "../links.ts";
import { useAccountSorts } from "./account-orders.ts";
import { AdminFrame } from "./admin-frame.tsx";
import { adminWords } from "./words/index.ts";

export interface AdminUser {
  readonly id: number;
  readonly name: string;
  readonly fullName: string;
  readonly email: string;
  readonly avatarUrl?: string;
  readonly isActive: boolean;
  readonly isSiteAdmin: boolean;
  readonly mayNotSignIn: boolean;
  readonly mustChangePassword: boolean;
  readonly isRestricted: boolean;
  readonly mayCreateOrganizations: boolean;
  /** -1: no limit. */
  readonly maxRepoCreation: number;
  readonly website: string;
  readonly location: string;
  readonly description: string;
  readonly createdAt: Instant;
  readonly lastSignInAt?: Instant;
}

export interface ListedUser extends AdminUser {
  readonly repoCount: number;
  readonly hasSecondFactor: boolean;
}

export interface AdminUsersProps {
  readonly shell: Shell;
  readonly users: readonly ListedUser[];
  readonly query: string;
  readonly sort: string;
  /** Only accounts in this state; undefined: all. */
  readonly state: (typeof STATES)[number] | undefined;
  readonly pages: PageOf;
}

const STATES = ["active", "inactive", "admin", "restricted", "prohibited", "two-factor", "no-two-factor"] as const;

/** `GET /-/admin/users`. */
export function AdminUsersPage({ shell, users, query, sort, state, pages }: AdminUsersProps) {
  const t = useWords(adminWords);
  const sorts = useAccountSorts();
  return (
    <AdminFrame shell={shell} page="users" title={t("users")}>
      <ListSearch action="/-/admin/users" query={query} sort={sort} sorts={sorts} label={t("searchUsers")}>
        <select name="state" aria-label={t("state")} data-submit="">
          <option value="">{t("anyState")}</option>
          {STATES.map((value) => (
            <option value={value} selected={value === state}>
              {t(`only-${value}`)}
            </option>
          ))}
        </select>
      </ListSearch>
      <Card
        title={t("accounts")}
        flush
        actions={
          <>
            <Count value={pages.total} />
            <LinkButton kind="primary" icon="plus" small href="/-/admin/users/new">
              {t("newUser")}
            </LinkButton>
          </>
        }
      >
        {users.length === 0 ? (
          <EmptyState icon="people" title={t("noMatch")} />
        ) : (
          <div class="table-box">
            <table class="table table-stack">
              <caption class="hidden-text">{t("accounts")}</caption>
              <thead>
                <tr>
                  <th scope="col">{t("user")}</th>
                  <th scope="col">{t("state")}</th>
                  <th scope="col" class="num">
                    {t("repositories")}
                  </th>
                  <th scope="col">{t("created")}</th>
                  <th scope="col">{t("lastSignIn")}</th>
                  <th scope="col">
                    <span class="hidden-text">{t("edit")}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {users.map((user) => (
                  <tr>
                    <th scope="row">
                      <div class="row">
                        <Avatar person={user} />
                        <div>
                          <a class="strong" href={userHref(user.name)}>
                            {user.name}
                          </a>{" "}
                          <span class="muted">{user.fullName}</span>
                          <div class="muted wrap">{user.email}</div>
                        </div>
                      </div>
                    </th>
                    <td>
                      <States user={user} />
                    </td>
                    <td class="num" data-label={t("repositories")}>
                      {user.repoCount}
                    </td>
                    <td data-label={t("created")}>
                      <Time at={user.createdAt} />
                    </td>
                    <td data-label={t("lastSignIn")}>
                      {user.lastSignInAt === undefined ? (
                        <span class="muted">{t("never")}</span>
                      ) : (
                        <Time at={user.lastSignInAt} />
                      )}
                    </td>
                    <td class="end">
                      <IconLink
                        icon="pencil"
                        href={`/-/admin/users/${user.id}/edit`}
                        label={t("editUser", { name: user.name })}
                        title={t("edit")}
                      />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Card>
      <Pagination of={pages} />
    </AdminFrame>
  );
}

function States({ user }: { user: ListedUser }) {
  const t = useWords(adminWords);
  return (
    <span class="row">
      {user.isSiteAdmin ? (
        <Badge tone="accent" icon="shield-lock">
          {t("admin")}
        </Badge>
      ) : null}
      {user.mayNotSignIn ? (
        <Badge tone="danger" icon="stop">
          {t("signInOff")}
        </Badge>
      ) : user.isActive ? (
        <Badge tone="ok" icon="check">
          {t("active")}
        </Badge>
      ) : (
        <Badge tone="warn" icon="clock">
          {t("notActivated")}
        </Badge>
      )}
      {user.isRestricted ? <Badge icon="lock">{t("restricted")}</Badge> : null}
      {user.hasSecondFactor ? <Badge icon="shield-lock">{t("secondFactor")}</Badge> : null}
      {user.mustChangePassword ? <Badge icon="key">{t("passwordDue")}</Badge> : null}
    </span>
  );
}
