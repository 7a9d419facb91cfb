import { visibilities } from "../../src/access/levels.ts";
import { accountWords } from "../account/words/index.ts";
import { auditWords } from "../audit/words/index.ts";
import { CancelLink, OpenButton, SubmitButton } from "../components/button.tsx";
import { ConfirmDialog } from "../components/dialog.tsx";
import {
  CheckField,
  ErrorSummary,
  FormActions,
  type FormErrors,
  type FormState,
  SelectField,
  TextArea,
  TextField,
} from "../components/form.tsx";
import { Card } from "../components/surface.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { userHref, withQuery } from "../links.ts";
import { AdminFrame } from "./admin-frame.tsx";
import type { AdminUser } from "./users.tsx";
import { adminWords } from "./words/index.ts";

export type UserField =
  | "user_name"
  | "full_name"
  | "email"
  | "visibility"
  | "max_repo_creation"
  | "website"
  | "location"
  | "description";

/** Labels by field, and the visibility choices for an account. Only inside a component. */
function useFormWords() {
  const t = useWords(adminWords);
  return {
    t,
    labels: {
      user_name: t("userName"),
      full_name: t("fullName"),
      email: t("email"),
      password: t("password"),
      visibility: t("visibility"),
      max_repo_creation: t("maxRepoCreation"),
      website: t("website"),
      location: t("location"),
      description: t("description"),
    },
    visibilities: visibilities.map((name, at) => ({ value: String(at), label: t(`visibility-${name}`) })),
  };
}

export interface NewUserProps {
  readonly shell: Shell;
  readonly form: FormState<UserField> & { readonly errors?: FormErrors<UserField | "password"> };
  readonly mustChangePassword: boolean;
  readonly minPassword: number;
}

/** `GET/POST /-/admin/users/new`. */
export function NewUserPage({ shell, form, mustChangePassword, minPassword }: NewUserProps) {
  const { values, errors } = form;
  const { t, labels, visibilities } = useFormWords();
  return (
    <AdminFrame shell={shell} page="users" title={t("newUser")}>
      <ErrorSummary errors={errors} labels={labels} />
      <Card>
        <form class="form" method="post" action="/-/admin/users/new">
          <TextField
            name="user_name"
            label={labels.user_name}
            value={values?.user_name}
            error={errors?.user_name}
            autocomplete="off"
            required
            code
          />
          <TextField
            name="full_name"
            label={labels.full_name}
            value={values?.full_name}
            error={errors?.full_name}
            autocomplete="off"
          />
          <TextField
            name="email"
            label={labels.email}
            type="email"
            value={values?.email}
            error={errors?.email}
            autocomplete="off"
            required
          />
          <TextField
            name="password"
            label={labels.password}
            type="password"
            error={errors?.password}
            hint={t("passwordHint", { count: minPassword })}
            autocomplete="new-password"
            required
          />
          <CheckField
            name="must_change_password"
            label={t("mustChangePassword")}
            hint={t("mustChangePasswordHint")}
            checked={mustChangePassword}
          />
          <SelectField
            name="visibility"
            label={labels.visibility}
            choices={visibilities}
            value={values?.visibility ?? "0"}
          />
          <FormActions>
            <SubmitButton kind="primary">{t("createUser")}</SubmitButton>
            <CancelLink href="/-/admin/users" />
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
  /** Administrators cannot lock themselves out. */
  readonly isSelf: boolean;
  /** Email addresses that neither a confirmation link nor an administrator has confirmed. */
  readonly unconfirmed: readonly { readonly id: number; readonly email: string }[];
  /** Cards that other areas add. */
  readonly cards: Children[];
}

/** `GET/POST /-/admin/users/{id}/edit`. */
export function EditUserPage({ shell, user, form, isSelf, unconfirmed, cards }: EditUserProps) {
  const { values, errors } = form;
  const { t, labels, visibilities } = useFormWords();
  const action = `/-/admin/users/${user.id}`;
  const ofAccount = useWords(accountWords);
  const ofLog = useWords(auditWords);
  return (
    <AdminFrame shell={shell} page="users" title={t("editUser", { name: user.name })}>
      <p class="row">
        <a href={userHref(user.name)}>{ofAccount("profile")}</a>
        <a href={withQuery("/-/admin/emails", { q: user.name })}>{t("emails")}</a>
        <a href={withQuery("/-/admin/security-log", { account: user.name })}>{ofLog("securityLog")}</a>
      </p>
      <ErrorSummary errors={errors} labels={labels} />
      <Card>
        <form class="form" method="post" action={`${action}/edit`}>
          <div class="field-row">
            <TextField
              name="user_name"
              label={labels.user_name}
              value={values?.user_name ?? user.name}
              error={errors?.user_name}
              autocomplete="off"
              required
              code
            />
            <TextField
              name="full_name"
              label={labels.full_name}
              value={values?.full_name ?? user.fullName}
              error={errors?.full_name}
              autocomplete="off"
            />
          </div>
          <TextField
            name="email"
            label={labels.email}
            type="email"
            value={values?.email ?? user.email}
            error={errors?.email}
            autocomplete="off"
            required
          />
          <TextField
            name="password"
            label={t("newPassword")}
            type="password"
            error={errors?.password}
            hint={t("newPasswordHint")}
            autocomplete="new-password"
          />
          <SelectField
            name="visibility"
            label={labels.visibility}
            choices={visibilities}
            value={values?.visibility ?? "0"}
          />
          <CheckField name="active" label={t("active")} checked={user.isActive} disabled={isSelf} />
          <CheckField
            name="admin"
            label={t("siteAdministrator")}
            hint={t("siteAdministratorHint")}
            checked={user.isSiteAdmin}
            disabled={isSelf}
          />
          <CheckField name="prohibit_login" label={t("mayNotSignIn")} checked={user.mayNotSignIn} disabled={isSelf} />
          <CheckField name="must_change_password" label={t("mustChangePassword")} checked={user.mustChangePassword} />
          <CheckField
            name="restricted"
            label={t("restricted")}
            hint={t("restrictedHint")}
            checked={user.isRestricted}
          />
          <CheckField
            name="allow_create_organization"
            label={t("mayCreateOrganizations")}
            checked={user.mayCreateOrganizations}
          />
          <TextField
            name="max_repo_creation"
            label={labels.max_repo_creation}
            hint={t("maxRepoCreationHint")}
            type="number"
            value={values?.max_repo_creation ?? String(user.maxRepoCreation)}
            error={errors?.max_repo_creation}
          />
          <TextArea
            name="description"
            label={labels.description}
            value={values?.description ?? user.description}
            error={errors?.description}
            maxLength={255}
          />
          <div class="field-row">
            <TextField
              name="website"
              label={labels.website}
              type="url"
              value={values?.website ?? user.website}
              error={errors?.website}
            />
            <TextField
              name="location"
              label={labels.location}
              value={values?.location ?? user.location}
              error={errors?.location}
              maxLength={50}
            />
          </div>
          <FormActions>
            <SubmitButton kind="primary">{t("save")}</SubmitButton>
            <CancelLink href="/-/admin/users" />
          </FormActions>
        </form>
      </Card>
      {unconfirmed.length === 0 ? null : (
        <Card title={t("unconfirmedAddresses")} flush>
          <ul class="list">
            {unconfirmed.map(({ id, email }) => (
              <li class="danger-row">
                <span class="mono">{email}</span>
                <form method="post" action="/-/admin/emails/activate">
                  <input type="hidden" name="uid" value={String(user.id)} />
                  <input type="hidden" name="id" value={String(id)} />
                  <SubmitButton small>{t("confirmAddress")}</SubmitButton>
                </form>
              </li>
            ))}
          </ul>
          <p class="list-row hint">{t("confirmedShown", { name: user.name })}</p>
        </Card>
      )}
      {cards}
      {isSelf ? null : (
        <Card title={t("dangerZone")} danger>
          <div class="danger-row">
            <p>{t("deleteLead")}</p>
            <OpenButton kind="danger" opens="delete-user">
              {t("deleteUser")}
            </OpenButton>
          </div>
          <ConfirmDialog
            id="delete-user"
            title={t("deleteQuestion", { name: user.name })}
            action={`${action}/delete`}
            field="confirm_name"
            typed={user.name}
            label={t("deleteThisUser")}
          >
            <CheckField name="purge" value="true" label={t("purge")} hint={t("purgeHint")} />
          </ConfirmDialog>
        </Card>
      )}
    </AdminFrame>
  );
}
