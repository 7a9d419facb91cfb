import type { Side } from "../../src/follows/types.ts";
import type { ProfileTab } from "../area.ts";
import { PeopleList, type Person } from "../components/avatar.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { userHref, withQuery } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { personOf } from "../people.ts";
import { followsWords } from "./words/index.ts";

const PER_PAGE = 40;

/** An account's followers, at `/{user}?tab=followers`; the counts on its card link there. */
export const followersTab = tabOf("followers", 40);
/** The accounts it follows. */
export const followingTab = tabOf("following", 50);

function tabOf(side: Side, order: number): ProfileTab {
  return {
    id: side,
    label: followsWords.label(side),
    icon: "people",
    order,
    shown: (_, call) => call.query.get("tab") === side,
    show: ({ follows }, call, user) => {
      const slice = pageOf(call, PER_PAGE);
      const { items, total } = follows.list(call.principal, side, user, slice);
      const href = withQuery(userHref(user.login), { tab: side });
      return (
        <People
          side={side}
          people={items.map((each) => ({ ...personOf(each), fullName: each.fullName }))}
          pages={{ page: slice.page, perPage: PER_PAGE, total, href }}
        />
      );
    },
  };
}

interface PeopleProps {
  readonly side: Side;
  readonly people: readonly (Person & { readonly fullName: string })[];
  readonly pages: PageOf;
}

function People({ side, people, pages }: PeopleProps) {
  const t = useWords(followsWords);
  return (
    <>
      <Card flush>
        {people.length === 0 ? (
          <EmptyState icon="people" title={side === "followers" ? t("noFollowers") : t("noFollowing")} />
        ) : (
          <PeopleList people={people} />
        )}
      </Card>
      <Pagination of={pages} />
    </>
  );
}
