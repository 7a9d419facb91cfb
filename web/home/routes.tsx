import type { User } from "../../src/access/user.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { paging } from "../../src/kernel/paging.ts";
import type { WebServices } from "../area.ts";
import { repoItem } from "../repos/items.ts";
import { anyone, shellOf, show } from "../visit.ts";
import { activityItems, type FindPushed } from "./activity-items.ts";
import { DashboardPage } from "./dashboard.tsx";
import { LandingPage } from "./landing.tsx";
import { pushedCommits } from "./pushed-commits.ts";

const REPOS_PER_PAGE = 15;
const FEED_LENGTH = 20;
const LANDING_REPOS = 10;

/** The start page: an overview for who is signed in, what is going on for everyone else. */
export function homePages(services: WebServices): Route[] {
  const findPushed = pushedCommits(services);
  return [
    {
      method: "GET",
      path: "/",
      surface: "page",
      access: anyone,
      handle: (call) =>
        call.principal.user ? dashboard(services, call, call.principal.user, findPushed) : landing(services, call),
    },
  ];
}

async function dashboard(services: WebServices, call: Call, user: User, findPushed: FindPushed): Promise<Response> {
  const query = (call.query.get("q") ?? "").trim().slice(0, 100);
  const slice = paging(call.query.get("page"), null, { standard: REPOS_PER_PAGE, largest: REPOS_PER_PAGE });
  const repos = services.repoSearch.ownAndShared(call.principal, user, slice, query);
  const activity = await activityItems(services.activity.around(call.principal, user, FEED_LENGTH), findPushed);
  return show(
    call,
    <DashboardPage
      shell={shellOf(services, call)}
      repos={{
        items: repos.items.map(repoItem),
        total: repos.total,
        query,
        page: slice.page,
        perPage: REPOS_PER_PAGE,
      }}
      activity={activity}
    />,
  );
}

function landing(services: WebServices, call: Call): Response {
  const slice = { page: 1, limit: LANDING_REPOS, offset: 0 };
  const found = services.repoSearch.search(call.principal, { sort: "updated", order: "desc" }, slice);
  const shell = shellOf(services, call);
  // Before the first account the one useful thing to say is where the key is.
  const flash = services.identity.hasAnyUser()
    ? {}
    : {
        flash: {
          kind: "info",
          text: "This server is new. Open the set-up link that it wrote to its console.",
        } as const,
      };
  return show(call, <LandingPage shell={{ ...shell, ...flash }} repos={found.items.map(repoItem)} />);
}
