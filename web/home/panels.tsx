import { signedIn } from "../../src/http/route.ts";
import { paging } from "../../src/kernel/paging.ts";
import type { DashboardPanel } from "../area.ts";
import { repoItem } from "../repos/items.ts";
import { activityItems } from "./activity-items.ts";
import { ActivityCard, ReposCard } from "./dashboard.tsx";

const REPOS_PER_PAGE = 15;
const FEED_LENGTH = 20;

/** What happened in the repositories around the account. */
export const activityPanel: DashboardPanel = {
  id: "activity",
  order: 10,
  place: "main",
  show: async (services, call) => {
    const happened = services.activity.around(call.principal, signedIn(call), FEED_LENGTH);
    return <ActivityCard items={await activityItems(happened, services.findPushed)} />;
  },
};

/** The account's own repositories and those shared with it. */
export const reposPanel: DashboardPanel = {
  id: "repositories",
  order: 10,
  place: "side",
  show: (services, call) => {
    const query = (call.query.get("q") ?? "").trim().slice(0, 100);
    const slice = paging(call.query.get("page"), null, { standard: REPOS_PER_PAGE, largest: REPOS_PER_PAGE });
    const found = services.repoSearch.ownAndShared(call.principal, signedIn(call), slice, query);
    const { items, total } = found;
    return (
      <ReposCard repos={{ items: items.map(repoItem), total, query, page: slice.page, perPage: REPOS_PER_PAGE }} />
    );
  },
};
