import type { Visibility } from "../../src/access/levels.ts";
import { UserSettings } from "../account/settings.tsx";
import { Avatar, type Person, PersonName } from "../components/avatar.tsx";
import { LinkButton, OpenButton } from "../components/button.tsx";
import { QuestionDialog } from "../components/dialog.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Badge, Card, EmptyState } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { organizationWords } from "./words/index.ts";

export interface OwnOrganization {
  readonly id: number;
  readonly person: Person;
  readonly fullName: string;
  readonly visibility: Visibility;
}

/** `GET /user/settings/organization`. */
export function OwnOrganizationsPage(props: {
  shell: Shell;
  organizations: readonly OwnOrganization[];
  mayCreate: boolean;
  pages: PageOf;
}) {
  const t = useWords(organizationWords);
  const create = props.mayCreate ? (
    <LinkButton href="/org/create" icon="plus">
      {t("newOrganization")}
    </LinkButton>
  ) : null;
  return (
    <UserSettings shell={props.shell} section="organizations">
      <Card title={t("yourOrganizations")} flush actions={props.organizations.length > 0 ? create : null}>
        {props.organizations.length === 0 ? (
          <EmptyState icon="organization" title={t("noOrganizations")} action={create}>
            {t("noOrganizationsHint")}
          </EmptyState>
        ) : (
          <ul class="list">
            {props.organizations.map(({ id, person, fullName, visibility }) => (
              <li class="danger-row">
                <div class="row">
                  <Avatar person={person} size={32} />
                  <div>
                    <PersonName person={person} /> <span class="muted">{fullName}</span>{" "}
                    {visibility === "public" ? null : <Badge>{t(`visibility-${visibility}`)}</Badge>}
                  </div>
                </div>
                <OpenButton kind="quiet" icon="x" opens={`leave-${id}`}>
                  {t("leave")}
                </OpenButton>
                <QuestionDialog
                  id={`leave-${id}`}
                  title={t("leaveOrganization")}
                  action="/user/settings/organization/leave"
                  fields={{ id: String(id) }}
                  label={t("leave")}
                >
                  {t("leaveWarning")}
                </QuestionDialog>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Pagination of={props.pages} />
    </UserSettings>
  );
}
