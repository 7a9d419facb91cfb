import { LinkButton, OpenButton, SubmitButton } from "../components/button.tsx";
import { ConfirmDialog } from "../components/dialog.tsx";
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
import { Card } from "../components/surface.tsx";
import type { Shell } from "../layout/shell.tsx";
import { AdminFrame } from "./admin-frame.tsx";
import type { AdminUser } from "./users.tsx";

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
    <AdminFrame shell={shell} page="users" title="New user">
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
            hint="Until then the account cannot do anything else."
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
  /** No one locks themselves out. */
  readonly isSelf: boolean;
  /** Addresses that no mail and no administrator has confirmed. */
  readonly unconfirmed: readonly { readonly id: number; readonly email: string }[];
}

/** `GET/POST /-/admin/users/{id}/edit`. */
export function EditUserPage({ shell, user, form, isSelf, unconfirmed }: EditUserProps) {
  const { values, errors } = form;
  const action = `/-/admin/users/${user.id}`;
  return (
    <AdminFrame shell={shell} page="users" title={`Edit ${user.name}`}>
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
            hint="Leave it empty to keep the current one. Setting it signs the account out everywhere."
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
            hint="Can do everything on this server."
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
      {unconfirmed.length === 0 ? null : (
        <Card title="Addresses that are not confirmed" flush>
          <ul class="list">
            {unconfirmed.map(({ id, email }) => (
              <li class="danger-row">
                <span class="mono">{email}</span>
                <form method="post" action="/-/admin/emails/activate">
                  <input type="hidden" name="uid" value={String(user.id)} />
                  <input type="hidden" name="id" value={String(id)} />
                  <SubmitButton small>Confirm</SubmitButton>
                </form>
              </li>
            ))}
          </ul>
          <p class="list-row hint">Commits with an address are shown as {user.name}'s once it is confirmed.</p>
        </Card>
      )}
      {isSelf ? null : (
        <Card title="Danger zone" danger>
          <div class="danger-row">
            <p>Delete the account. It must own no repositories, or they are deleted with it.</p>
            <OpenButton kind="danger" opens="delete-user">
              Delete user
            </OpenButton>
          </div>
          <ConfirmDialog
            id="delete-user"
            title={`Delete ${user.name}?`}
            action={`${action}/delete`}
            field="confirm_name"
            typed={user.name}
            label="Delete this user"
          >
            <CheckField
              name="purge"
              value="true"
              label="Also delete what they own"
              hint="Repositories and everything that belongs to them. This cannot be undone."
            />
          </ConfirmDialog>
        </Card>
      )}
    </AdminFrame>
  );
}
