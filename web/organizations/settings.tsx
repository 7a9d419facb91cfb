import { AvatarCard, type AvatarCardProps } from "../avatars/card.tsx";
import { Blocks, type BlocksProps } from "../blocks/list.tsx";
import { OpenButton, SubmitButton } from "../components/button.tsx";
import { ConfirmDialog, Dialog, DialogActions } from "../components/dialog.tsx";
import {
  CheckField,
  ErrorSummary,
  FormActions,
  type FormState,
  RadioField,
  TextArea,
  TextField,
} from "../components/form.tsx";
import { Card } from "../components/surface.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { SettingsFrame, useLinks } from "../layout/settings-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { organizationHref } from "../links.ts";
import { useVisibilities } from "./create.tsx";
import { OrganizationPage, type OrganizationProps } from "./frame.tsx";
import { organizationWords } from "./words/index.ts";

/** A page of an organization's settings; `section` is the id of its menu entry. */
export function OrganizationSettings(props: {
  shell: Shell;
  organization: OrganizationProps;
  section: string;
  children: Children;
}) {
  const t = useWords(organizationWords);
  const { shell, organization, section } = props;
  const links = useLinks(shell.contributions.organizationSettings, organization, section);
  return (
    <OrganizationPage shell={shell} organization={organization} tab="settings" title={[t("settings")]} noIndex>
      <SettingsFrame
        title={links.find(({ current }) => current)?.label ?? t("settings")}
        menuLabel={t("organizationSettings")}
        links={links}
      >
        {props.children}
      </SettingsFrame>
    </OrganizationPage>
  );
}

export type OrganizationField = "full_name" | "email" | "description" | "website" | "location";

export interface OrganizationSettingsProps {
  readonly shell: Shell;
  readonly organization: OrganizationProps;
  readonly form: FormState<OrganizationField>;
  readonly repoAdminsChangeTeams: boolean;
  readonly picture: AvatarCardProps;
}

/** `GET/POST /org/{org}/settings`. */
export function OrganizationSettingsPage(props: OrganizationSettingsProps) {
  const t = useWords(organizationWords);
  const { organization, shell } = props;
  const { values, errors } = props.form;
  const labels = {
    full_name: t("fullName"),
    email: t("email"),
    description: t("description"),
    website: t("website"),
    location: t("location"),
  };
  return (
    <OrganizationSettings shell={shell} organization={organization} section="profile">
      <Card title={t("profile")}>
        <form class="form" method="post" action={organizationHref(organization.name, "settings")}>
          <ErrorSummary errors={errors} labels={labels} />
          <TextField
            name="full_name"
            label={labels.full_name}
            value={values?.full_name}
            error={errors?.full_name}
            maxLength={100}
          />
          <TextField
            name="email"
            type="email"
            label={labels.email}
            value={values?.email}
            error={errors?.email}
            maxLength={254}
          />
          <TextArea
            name="description"
            label={labels.description}
            value={values?.description}
            error={errors?.description}
            rows={2}
            maxLength={255}
          />
          <TextField
            name="website"
            type="url"
            label={labels.website}
            value={values?.website}
            error={errors?.website}
            maxLength={255}
          />
          <TextField
            name="location"
            label={labels.location}
            value={values?.location}
            error={errors?.location}
            maxLength={50}
          />
          <CheckField
            name="repo_admin_change_team_access"
            label={t("repoAdminsChangeTeams")}
            checked={props.repoAdminsChangeTeams}
          />
          <FormActions form="organization" flash={shell.flash}>
            <SubmitButton kind="primary">{t("save")}</SubmitButton>
          </FormActions>
        </form>
      </Card>
      <AvatarCard {...props.picture} />
      <DangerZone organization={organization} />
    </OrganizationSettings>
  );
}

function DangerZone({ organization }: { organization: OrganizationProps }) {
  const t = useWords(organizationWords);
  const { name, visibility } = organization;
  const action = (sub: string) => organizationHref(name, `settings/${sub}`);
  const visibilities = useVisibilities();
  return (
    <Card title={t("dangerZone")} id="danger" danger flush>
      <ul class="list">
        <Danger title={t("changeVisibility")} text={t("visibilityAbout")} opens="organization-visibility" />
        <Danger title={t("rename")} text={t("renameAbout")} opens="rename-organization" />
        <Danger title={t("deleteOrganization")} text={t("deleteAbout")} opens="delete-organization" />
      </ul>
      <Dialog id="organization-visibility" title={t("visibilityTitle")}>
        <form class="form" method="post" action={action("visibility")}>
          <RadioField
            name="visibility"
            label={t("visibility")}
            value={String(["public", "limited", "private"].indexOf(visibility))}
            choices={visibilities}
          />
          <DialogActions label={t("changeVisibility")} danger />
        </form>
      </Dialog>
      <ConfirmDialog
        id="rename-organization"
        title={t("renameTitle")}
        action={action("rename")}
        field="org_name"
        typed={name}
        label={t("rename")}
      >
        <TextField
          name="new_org_name"
          label={t("newName")}
          hint={t("renameAbout")}
          maxLength={40}
          autocomplete="off"
          required
          code
        />
      </ConfirmDialog>
      <ConfirmDialog
        id="delete-organization"
        title={t("deleteTitle")}
        action={action("delete")}
        field="org_name"
        typed={name}
        label={t("deleteThis")}
      >
        <p>{t("deleteWarning")}</p>
      </ConfirmDialog>
    </Card>
  );
}

function Danger({ title, text, opens }: { title: string; text: string; opens: string }) {
  return (
    <li class="danger-row">
      <div>
        <h3>{title}</h3>
        <p class="muted">{text}</p>
      </div>
      <OpenButton kind="danger" opens={opens}>
        {title}
      </OpenButton>
    </li>
  );
}

/** `GET/POST /org/{org}/settings/blocked_users`. */
export function BlockedUsersPage(
  props: Pick<BlocksProps, "blocks" | "pages" | "form"> & { shell: Shell; organization: OrganizationProps },
) {
  const t = useWords(organizationWords);
  const { shell, organization, ...list } = props;
  const action = organizationHref(organization.name, "settings/blocked_users");
  return (
    <OrganizationSettings shell={shell} organization={organization} section="blockedUsers">
      <Blocks {...list} action={action} hint={t("blockHint")} noteHint={t("noteHint")} />
    </OrganizationSettings>
  );
}
