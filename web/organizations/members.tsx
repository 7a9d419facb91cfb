import { Avatar, type Person, PersonName } from "../components/avatar.tsx";
import { OpenButton, SubmitButton } from "../components/button.tsx";
import { QuestionDialog } from "../components/dialog.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Badge, Card, EmptyState } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { organizationHref } from "../links.ts";
import { OrganizationPage, type OrganizationProps } from "./frame.tsx";
import { organizationWords } from "./words/index.ts";

export interface MemberItem {
  readonly id: number;
  readonly person: Person;
  readonly fullName: string;
  readonly isOwner: boolean;
  readonly isPublic: boolean;
  readonly isSelf: boolean;
}

export interface MembersProps {
  readonly shell: Shell;
  readonly organization: OrganizationProps;
  readonly members: readonly MemberItem[];
  readonly pages: PageOf;
}

/** `GET /org/{org}/members`. */
export function MembersPage({ shell, organization, members, pages }: MembersProps) {
  const t = useWords(organizationWords);
  return (
    <OrganizationPage shell={shell} organization={organization} tab="members" title={[t("members")]}>
      <h1 class="hidden-text">{t("members")}</h1>
      {organization.isOwner ? (
        <p class="muted">
          {t.jsx("membersByTeams", {
            link: (inner) => <a href={organizationHref(organization.name, "teams")}>{inner}</a>,
          })}
        </p>
      ) : null}
      <Card flush>
        {members.length === 0 ? (
          <EmptyState icon="people" title={t("noPublicMembers")} />
        ) : (
          <ul class="list">
            {members.map((member) => (
              <Member organization={organization} member={member} />
            ))}
          </ul>
        )}
      </Card>
      <Pagination of={pages} />
    </OrganizationPage>
  );
}

function Member({ organization, member }: { organization: OrganizationProps; member: MemberItem }) {
  const t = useWords(organizationWords);
  const { person, isSelf } = member;
  const { name } = person;
  const mayShow = isSelf || organization.isOwner;
  const action = (what: string) => organizationHref(organization.name, `members/action/${what}`);
  const dialog = `leave-${member.id}`;
  return (
    <li class="danger-row">
      <div class="row">
        <Avatar person={person} size={32} />
        <div>
          <p>
            <PersonName person={person} /> <span class="muted">{member.fullName}</span>{" "}
            {isSelf ? <Badge>{t("you")}</Badge> : null}{" "}
            {member.isOwner ? <Badge icon="shield-lock">{t("owner")}</Badge> : null}
          </p>
          {organization.isMember ? <p class="muted small">{member.isPublic ? t("shown") : t("concealed")}</p> : null}
        </div>
      </div>
      {mayShow ? (
        <div class="row">
          <form method="post" action={action(member.isPublic ? "private" : "public")}>
            <input type="hidden" name="uid" value={String(member.id)} />
            <SubmitButton>{member.isPublic ? t("concealMembership") : t("showMembership")}</SubmitButton>
          </form>
          <OpenButton kind="quiet" icon="x" opens={dialog}>
            {isSelf ? t("leave") : t("removeMember")}
          </OpenButton>
          <QuestionDialog
            id={dialog}
            title={isSelf ? t("leaveOrganization") : t("removeMemberOf", { name })}
            action={action(isSelf ? "leave" : "remove")}
            fields={{ uid: String(member.id) }}
            label={isSelf ? t("leave") : t("removeMember")}
          >
            {isSelf ? t("leaveWarning") : t("removeMemberWarning", { name })}
          </QuestionDialog>
        </div>
      ) : null}
    </li>
  );
}
