import type { ProfileTab } from "../area.ts";
import { repoListHref, repoQueryOf, searchOf } from "../explore/repo-query.ts";
import { activityItems } from "../home/activity-items.ts";
import { DAY_MS } from "../home/heat-map.tsx";
import { userHref, withQuery } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { repoItems } from "../repos/items.ts";
import { ActivityHidden, ProfileActivity, ProfileRepos } from "./profile.tsx";
import { accountWords } from "./words/index.ts";

const PER_PAGE = 15;
const FEED_LENGTH = 20;
/** More entries are shown for a single day, but on one page only. */
const DAY_LENGTH = 100;

export const repositoriesTab: ProfileTab = {
  id: "repositories",
  label: accountWords.label("repositories"),
  icon: "repo",
  order: 20,
  count: (services, call, user) =>
    services.repoSearch.ownedBy(call.principal, user, { page: 1, limit: 1, offset: 0 }).total,
  show: (services, call, user) => {
    const asked = repoQueryOf(call);
    const request = { ...searchOf(asked), around: user.id, exclusive: true };
    const slice = pageOf(call, PER_PAGE);
    const found = services.repoSearch.search(call.principal, request, slice);
    const href = withQuery(userHref(user.login), { tab: "repositories" });
    return (
      <ProfileRepos
        user={user.login}
        repos={repoItems(services, found.items)}
        href={href}
        asked={asked}
        languages={services.repoSearch.languagesOf(call.principal, request)}
        pages={{ page: slice.page, perPage: PER_PAGE, total: found.total, href: repoListHref(href, asked) }}
      />
    );
  },
};

export const activityTab: ProfileTab = {
  id: "activity",
  label: accountWords.label("publicActivity"),
  icon: "history",
  order: 90,
  show: async (services, call, user) => {
    const mayRead = call.principal.user?.id === user.id || call.principal.user?.isAdmin === true;
    if (user.hideActivity && !mayRead) return <ActivityHidden />;
    const asked = call.query.get("date") ?? "";
    const day = /^\d{4}-\d\d-\d\d$/.test(asked) ? Date.parse(asked) : Number.NaN;
    const request = { onlyBy: true, day: asked };
    const happened = Number.isNaN(day)
      ? services.activity.by(call.principal, user, FEED_LENGTH)
      : services.activity.feedOfAccount(call.principal, user, request, { page: 1, limit: DAY_LENGTH, offset: 0 }).items;
    const items = await activityItems(happened, services.findPushed);
    return (
      <ProfileActivity
        items={items}
        hidden={user.hideActivity ? "for-others" : "no"}
        day={Number.isNaN(day) ? undefined : day}
        heatMap={{
          days: services.activity.contributions(call.principal, user, DAY_MS),
          now: services.clock(),
          href: withQuery(userHref(user.login), { tab: "activity" }),
        }}
      />
    );
  },
};
