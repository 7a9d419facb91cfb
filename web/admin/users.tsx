import { Avatar } from "../components/avatar.tsx";
import { IconLink, LinkButton, OpenButton, SubmitButton } from "../components/button.tsx";
import {
  CheckField,
  type Choice,
  ErrorSummary,
  FormActions,
  type FormErrors,
  type FormState,
  SelectField,
  TextField,
} from "../components/form.tsx";
import { Count, type PageOf, Pagination } from "../components/navigation.tsx";
import { Badge, Card, Dialog, EmptyState } from "../components/surface.tsx";
import { type Instant, Time } from "../components/time.tsx";
import { ListSearch } from "../explore/explore.tsx";
import type { Children } from "../jsx/types.ts";
import { SettingsFrame } from "../layout/settings-frame.tsx";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { userHref } from "../links.ts";

function AdminFrame(props: { shell: Shell; title: string; children: Children }) {
  return (
    <PageFrame shell={props.shell} title={[props.title, "Administration"]} width="wide" noIndex>
      <SettingsFrame
        title={props.title}
        menuLabel="Administration"
        links={[{ label: "Users", href: "/-/admin/users", icon: "people", current: true }]}
      >
        {props.children}
      </SettingsFrame>
    </PageFrame>
  );
}

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
    <AdminFrame shell={shell} title="Users">
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

type UserField = "user_name" | "full_name" | "email" | "visibility";

const LABELS = {
  user_name: "User name",
  full_name: "Full name",
  email: "E-mail address",
  password: "Password",
  visibility: "Visibility",
};
const VISIBILITIES: readonly Choice[] = [
  { value: "0", label: "Public" },
  { value: "1", label: "Limited: signed-in people" },
  { value: "2", label: "Private" },
];

export interface NewUserProps {
  readonly shell: Shell;
  readonly form: FormState<UserField> & { readonly errors?: FormErrors<UserField | "password"> };
  readonly mustChangePassword: boolean;
  readonly minPassword: number;
}

/** `GET/POST /-/admin/users/new`. */
export function NewUserPage({ shell, form, mustChangePassword, minPassword }: NewUserProps) {
  const { values, errors } = form;
  return (
    <AdminFrame shell={shell} title="New user">
      <ErrorSummary errors={errors} labels={LABELS} />
      <Card>
        <form class="form" method="post" action="/-/admin/users/new">
          <TextField
            name="user_name"
            label={LABELS.user_name}
            value={values?.user_name}
            error={errors?.user_name}
            autocomplete="off"
            required
            code
          />
          <TextField
            name="email"
            label={LABELS.email}
            type="email"
            value={values?.email}
            error={errors?.email}
            autocomplete="off"
            required
          />
          <TextField
            name="password"
            label={LABELS.password}
            type="password"
            error={errors?.password}
            hint={`At least ${minPassword} characters.`}
            autocomplete="new-password"
            required
          />
          <CheckField
            name="must_change_password"
            label="Must choose a new password"
            hint="Until then the account sees nothing else, and git is refused."
            checked={mustChangePassword}
          />
          <SelectField
            name="visibility"
            label={LABELS.visibility}
            choices={VISIBILITIES}
            value={values?.visibility ?? "0"}
          />
          <FormActions>
            <SubmitButton kind="primary">Create user</SubmitButton>
            <LinkButton kind="quiet" href="/-/admin/users">
              Cancel
            </LinkButton>
          </FormActions>
        </form>
      </Card>
    </AdminFrame>
  );
}

export interface EditUserProps {
  readonly shell: Shell;
  readonly user: AdminUser;
  readonly form: FormState<UserField> & { readonly errors?: FormErrors<UserField | "password"> };
  /** Nobody locks themselves out. */
  readonly isSelf: boolean;
}

/** `GET/POST /-/admin/users/{id}/edit`. */
export function EditUserPage({ shell, user, form, isSelf }: EditUserProps) {
  const { values, errors } = form;
  const action = `/-/admin/users/${user.id}`;
  return (
    <AdminFrame shell={shell} title={`Edit ${user.name}`}>
      <ErrorSummary errors={errors} labels={LABELS} />
      <Card>
        <form class="form" method="post" action={`${action}/edit`}>
          <div class="field-row">
            <TextField
              name="user_name"
              label={LABELS.user_name}
              value={values?.user_name ?? user.name}
              error={errors?.user_name}
              autocomplete="off"
              required
              code
            />
            <TextField
              name="full_name"
              label={LABELS.full_name}
              value={values?.full_name ?? user.fullName}
              error={errors?.full_name}
              autocomplete="off"
            />
          </div>
          <TextField
            name="email"
            label={LABELS.email}
            type="email"
            value={values?.email ?? user.email}
            error={errors?.email}
            autocomplete="off"
            required
          />
          <TextField
            name="password"
            label="New password"
            type="password"
            error={errors?.password}
            hint="Leave it empty to keep the present one. Setting it ends the account's sessions."
            autocomplete="new-password"
          />
          <SelectField
            name="visibility"
            label={LABELS.visibility}
            choices={VISIBILITIES}
            value={values?.visibility ?? "0"}
          />
          <CheckField name="active" label="Active" checked={user.isActive} disabled={isSelf} />
          <CheckField
            name="admin"
            label="Site administrator"
            hint="May do everything on this server."
            checked={user.isSiteAdmin}
            disabled={isSelf}
          />
          <CheckField name="prohibit_login" label="May not sign in" checked={user.mayNotSignIn} disabled={isSelf} />
          <CheckField
            name="must_change_password"
            label="Must choose a new password"
            checked={user.mustChangePassword}
          />
          <FormActions>
            <SubmitButton kind="primary">Save</SubmitButton>
            <LinkButton kind="quiet" href="/-/admin/users">
              Cancel
            </LinkButton>
          </FormActions>
        </form>
      </Card>
      {isSelf ? null : (
        <Card title="Danger zone" danger>
          <div class="danger-row">
            <p>Delete the account. It must not own repositories, unless they are deleted with it.</p>
            <OpenButton kind="danger" opens="delete-user">
              Delete user
            </OpenButton>
          </div>
          <Dialog id="delete-user" title={`Delete ${user.name}?`}>
            <form class="form" method="post" action={`${action}/delete`}>
              <CheckField
                name="purge"
                value="true"
                label="Delete what it owns too"
                hint="Repositories and all that belongs to them. There is no way back."
              />
              <FormActions>
                <SubmitButton kind="danger">Delete user</SubmitButton>
              </FormActions>
            </form>
          </Dialog>
        </Card>
      )}
    </AdminFrame>
  );
}
