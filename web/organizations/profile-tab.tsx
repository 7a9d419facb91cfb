import type { ProfileTab } from "../area.ts";
import { Avatar, type Person, PersonName } from "../components/avatar.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { userHref, withQuery } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { personOf } from "../people.ts";
import { organizationWords } from "./words/index.ts";

const TAB = "organizations";
const PER_PAGE = 40;

const count: NonNullable<ProfileTab["count"]> = ({ organizations }, { principal }, user) =>
  organizations.ofUser(principal, user, { page: 1, limit: 1, offset: 0 }).total;

/** The organizations of an account, at `/{user}?tab=organizations`; others see only public memberships. */
export const organizationsTab: ProfileTab = {
  id: TAB,
  label: organizationWords.label("organizations"),
  icon: "organization",
  order: 60,
  count,
  shown: (services, call, user) => call.query.get("tab") === TAB || count(services, call, user) > 0,
  show: ({ organizations }, call, user) => {
    const slice = pageOf(call, PER_PAGE);
    const { items, total } = organizations.ofUser(call.principal, user, slice);
    const href = withQuery(userHref(user.login), { tab: TAB });
    return (
      <Organizations
        organizations={items.map(({ account }) => ({
          ...personOf(account),
          fullName: account.fullName,
          description: account.description,
        }))}
        pages={{ page: slice.page, perPage: PER_PAGE, total, href }}
      />
    );
  },
};

interface OrganizationsProps {
  readonly organizations: readonly (Person & { readonly fullName: string; readonly description: string })[];
  readonly pages: PageOf;
}

function Organizations({ organizations, pages }: OrganizationsProps) {
  const t = useWords(organizationWords);
  return (
    <>
      <Card flush>
        {organizations.length === 0 ? (
          <EmptyState icon="organization" title={t("noPublicOrganizations")} />
        ) : (
          <ul class="list">
            {organizations.map((organization) => (
              <li class="danger-row">
                <div class="row">
                  <Avatar person={organization} size={32} />
                  <div>
                    <PersonName person={organization} /> <span class="muted">{organization.fullName}</span>
                    {organization.description ? <p class="muted">{organization.description}</p> : null}
                  </div>
                </div>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Pagination of={pages} />
    </>
  );
}
