import { signedIn } from "../../src/http/route.ts";
import type { DashboardPanel } from "../area.ts";
import { userHref, withQuery } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { repoItem } from "../repos/items.ts";
import { activityItems } from "./activity-items.ts";
import { ActivityCard, HeatMapCard, ReposCard } from "./dashboard.tsx";
import { DAY_MS } from "./heat-map.tsx";

const REPOS_PER_PAGE = 15;
const FEED_LENGTH = 20;

/** Recent activity in the repositories around the account. */
export const activityPanel: DashboardPanel = {
  id: "activity",
  order: 10,
  place: "main",
  show: async (services, call) => {
    const user = signedIn(call);
    const happened = services.activity.around(call.principal, user, FEED_LENGTH);
    return (
      <>
        <HeatMapCard
          days={services.activity.contributions(call.principal, user, DAY_MS)}
          now={services.clock()}
          href={withQuery(userHref(user.login), { tab: "activity" })}
        />
        <ActivityCard items={await activityItems(happened, services.findPushed)} />
      </>
    );
  },
};

/** The account's own repositories and those shared with it. */
export const reposPanel: DashboardPanel = {
  id: "repositories",
  order: 10,
  place: "side",
  show: (services, call) => {
    const query = (call.query.get("q") ?? "").trim().slice(0, 100);
    const slice = pageOf(call, REPOS_PER_PAGE);
    const found = services.repoSearch.ownAndShared(call.principal, signedIn(call), slice, query);
    const { items, total } = found;
    return (
      <ReposCard repos={{ items: items.map(repoItem), total, query, page: slice.page, perPage: REPOS_PER_PAGE }} />
    );
  },
};
