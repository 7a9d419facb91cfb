import { Avatar } from "../components/avatar.tsx";
import { IconLink, LinkButton } from "../components/button.tsx";
import { ListSearch } from "../components/list-search.tsx";
import { Count, type PageOf, Pagination } from "../components/navigation.tsx";
import { Badge, Card, EmptyState } from "../components/surface.tsx";
import { type Instant, Time } from "../components/time.tsx";
import type { Shell } from "../layout/shell.tsx";
import { userHref } from "../links.ts";
import { AdminFrame } from "./admin-frame.tsx";

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
  readonly repoCount: number;
  readonly createdAt: Instant;
  readonly lastSignInAt?: Instant;
}

export interface AdminUsersProps {
  readonly shell: Shell;
  readonly users: readonly AdminUser[];
  readonly query: string;
  readonly sort: string;
  readonly pages: PageOf;
}

const SORTS = [
  { value: "alphabetically", label: "Name, A to Z" },
  { value: "reversealphabetically", label: "Name, Z to A" },
  { value: "newest", label: "Newest" },
  { value: "oldest", label: "Oldest" },
];

/** `GET /-/admin/users`. */
export function AdminUsersPage({ shell, users, query, sort, pages }: AdminUsersProps) {
  return (
    <AdminFrame shell={shell} page="users" title="Users">
      <div class="row">
        <div class="grow">
          <ListSearch action="/-/admin/users" query={query} sort={sort} sorts={SORTS} label="Search users" />
        </div>
        <LinkButton kind="primary" icon="plus" href="/-/admin/users/new">
          New user
        </LinkButton>
      </div>
      <Card title="Accounts" flush actions={<Count value={pages.total} />}>
        {users.length === 0 ? (
          <EmptyState icon="people" title="No matching results found." />
        ) : (
          <div class="table-box">
            <table class="table">
              <caption class="hidden-text">Accounts</caption>
              <thead>
                <tr>
                  <th scope="col">User</th>
                  <th scope="col">E-mail</th>
                  <th scope="col">State</th>
                  <th scope="col" class="num">
                    Repositories
                  </th>
                  <th scope="col">Created</th>
                  <th scope="col">Last sign-in</th>
                  <th scope="col">
                    <span class="hidden-text">Edit</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {users.map((user) => (
                  <tr>
                    <th scope="row">
                      <div class="row nowrap">
                        <Avatar person={user} />
                        <a class="strong" href={userHref(user.name)}>
                          {user.name}
                        </a>
                        <span class="muted">{user.fullName}</span>
                      </div>
                    </th>
                    <td>{user.email}</td>
                    <td>
                      <States user={user} />
                    </td>
                    <td class="num">{user.repoCount}</td>
                    <td>
                      <Time at={user.createdAt} />
                    </td>
                    <td>
                      {user.lastSignInAt === undefined ? (
                        <span class="muted">never</span>
                      ) : (
                        <Time at={user.lastSignInAt} />
                      )}
                    </td>
                    <td class="end">
                      <IconLink
                        icon="pencil"
                        href={`/-/admin/users/${user.id}/edit`}
                        label={`Edit ${user.name}`}
                        title="Edit"
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

function States({ user }: { user: AdminUser }) {
  return (
    <span class="row">
      {user.isSiteAdmin ? (
        <Badge tone="accent" icon="shield-lock">
          Admin
        </Badge>
      ) : null}
      {user.mayNotSignIn ? (
        <Badge tone="danger" icon="stop">
          Sign-in off
        </Badge>
      ) : user.isActive ? (
        <Badge tone="ok" icon="check">
          Active
        </Badge>
      ) : (
        <Badge tone="warn" icon="clock">
          Not activated
        </Badge>
      )}
      {user.mustChangePassword ? <Badge icon="key">New password due</Badge> : null}
    </span>
  );
}
