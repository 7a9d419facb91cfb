import { signedIn } from "../../src/http/route.ts";
import type { DashboardPanel } from "../area.ts";
import { Avatar, type Person } from "../components/avatar.tsx";
import { LinkButton } from "../components/button.tsx";
import { Card } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { organizationHref } from "../links.ts";
import { personOf } from "../people.ts";
import { organizationWords } from "./words/index.ts";

const SHOWN = 20;

/** The account's organizations, with links from its start page to theirs. */
export const organizationsPanel: DashboardPanel = {
  id: "organizations",
  order: 20,
  place: "side",
  show: (services, call) => {
    const user = signedIn(call);
    const slice = { page: 1, limit: SHOWN, offset: 0 };
    const { items } = services.organizations.ofUser(call.principal, user, slice);
    const mayCreate = services.organizations.mayCreate(user);
    if (items.length === 0 && !mayCreate) return null;
    return <OrganizationsCard organizations={items.map(({ account }) => personOf(account))} mayCreate={mayCreate} />;
  },
};

function OrganizationsCard({ organizations, mayCreate }: { organizations: readonly Person[]; mayCreate: boolean }) {
  const t = useWords(organizationWords);
  return (
    <Card
      title={t("organizations")}
      flush
      actions={
        mayCreate ? (
          <LinkButton href="/org/create" icon="plus" small title={t("newOrganization")}>
            <span class="hidden-text">{t("newOrganization")}</span>
          </LinkButton>
        ) : null
      }
    >
      {organizations.length === 0 ? (
        <p class="list-row muted">{t("noOrganizationsHint")}</p>
      ) : (
        <ul class="short-list">
          {organizations.map((organization) => (
            <li>
              <a class="menu-item" href={organizationHref(organization.name, "dashboard")}>
                <Avatar person={organization} size={20} /> <span class="clip">{organization.name}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
