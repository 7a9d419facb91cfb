import { type Call, type Route, signedIn } from "../../src/http/route.ts";
import type { ItemFilter } from "../../src/issues/list/types.ts";
import { organizationMember, teamReader } from "../../src/organizations/access.ts";
import { seenOrganization, seenTeam } from "../../src/organizations/subject.ts";
import type { SeenOrganization, Team } from "../../src/organizations/types.ts";
import type { WebServices } from "../area.ts";
import { organizationHref } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { organizationProps } from "../organizations/view.ts";
import { shellOf, show } from "../visit.ts";
import { ownLists } from "./access.ts";
import { askedOf } from "./asked.ts";
import { GlobalItemsPage } from "./global.tsx";
import { orderMenu } from "./menus.ts";
import { hereOf, kept, listOf, PER_PAGE, savedOf } from "./routes.tsx";
import { SubscriptionsPage } from "./subscriptions.tsx";

/** The kinds of global lists, in the contract's terms (issues.md 27). */
export const itemTypes = {
  issues: ["your_repositories", "assigned", "created_by", "mentioned"],
  pulls: ["your_repositories", "assigned", "created_by", "mentioned", "review_requested", "reviewed_by"],
} as const;
export type ItemType = (typeof itemTypes)["pulls"][number];

/** Issues and pull requests from everywhere that concern the viewer. */
export function globalItemPages(services: WebServices): Route[] {
  const page = { surface: "page", method: "GET", access: ownLists } as const;
  return [
    { ...page, path: "/issues", handle: (call) => items(services, call, false) },
    { ...page, path: "/pulls", handle: (call) => items(services, call, true) },
    { ...page, path: "/notifications/subscriptions", handle: (call) => subscriptions(services, call) },
    ...[false, true].flatMap((isPull): Route[] => {
      const path = `/org/:org/${isPull ? "pulls" : "issues"}`;
      return [
        {
          ...page,
          access: organizationMember,
          path,
          handle: (call) => items(services, call, isPull, narrowedTo(isPull, seenOrganization(call), undefined)),
        },
        {
          ...page,
          access: teamReader,
          path: `${path}/:team`,
          handle: (call) => items(services, call, isPull, narrowedTo(isPull, seenTeam(call).seen, seenTeam(call).team)),
        },
      ];
    }),
  ];
}

/** Whose items a list shows, when it is not everyone's. */
interface Narrowed {
  readonly home: string;
  readonly seen: SeenOrganization;
  readonly filter: Pick<ItemFilter, "ownerId" | "teamId">;
}

/** Narrowed to an organization, or to the repositories of one of its teams. */
function narrowedTo(isPull: boolean, seen: SeenOrganization, team: Team | undefined): Narrowed {
  const { id, login } = seen.organization;
  const home = organizationHref(login, isPull ? "pulls" : "issues");
  return team
    ? { home: `${home}/${encodeURIComponent(team.name)}`, seen, filter: { ownerId: id, teamId: team.id } }
    : { home, seen, filter: { ownerId: id } };
}

async function items(services: WebServices, call: Call, isPull: boolean, narrowed?: Narrowed): Promise<Response> {
  const user = signedIn(call);
  const types: readonly ItemType[] = isPull ? itemTypes.pulls : itemTypes.issues;
  const type = types.find((each) => each === call.query.get("type")) ?? "your_repositories";
  const asked = askedOf(services, call, isPull, undefined);
  const filter: ItemFilter = {
    ...asked.filter,
    ...(narrowed?.filter ??
      (type === "your_repositories" && call.query.get("type") !== "all" ? { aroundId: user.id } : {})),
  };
  const slice = pageOf(call, PER_PAGE);
  const found =
    asked.unknown.length > 0
      ? { items: [], open: 0, closed: 0 }
      : asked.repo && !narrowed
        ? await services.itemLists.page(asked.repo, filter, slice)
        : await services.itemLists.pageEverywhere(call.principal, filter, slice);
  const home = narrowed?.home ?? (isPull ? "/pulls" : "/issues");
  const here = hereOf(call, home);
  const list = listOf(services, call, {
    found,
    filter,
    here,
    home,
    page: slice.page,
    asked,
    filters: [orderMenu(call, filter, here)],
    showsRepo: true,
  });
  const saved = narrowed ? undefined : savedOf(services, call, undefined, isPull, asked, home);
  return show(
    call,
    <GlobalItemsPage
      shell={shellOf(services, call)}
      organization={narrowed && organizationProps(narrowed.seen)}
      home={home}
      isPull={isPull}
      type={type}
      types={types}
      box={{ action: home, query: asked.query, keep: kept(call), saved }}
      list={list}
    />,
  );
}

/** `GET /notifications/subscriptions`: the items the user is subscribed to by participating (contract web.md 1.6). */
async function subscriptions(services: WebServices, call: Call): Promise<Response> {
  const kind = call.query.get("issueType");
  const isPull = kind === "pulls" ? true : kind === "issues" ? false : undefined;
  const asked = askedOf(services, call, isPull, undefined);
  const filter: ItemFilter = { ...asked.filter, subscriberId: signedIn(call).id };
  const slice = pageOf(call, PER_PAGE);
  const found = await services.itemLists.pageEverywhere(call.principal, filter, slice);
  const home = "/notifications/subscriptions";
  const here = hereOf(call, home);
  const list = listOf(services, call, {
    found,
    filter,
    here,
    home,
    page: slice.page,
    asked,
    filters: [orderMenu(call, filter, here)],
    showsRepo: true,
  });
  return show(call, <SubscriptionsPage shell={shellOf(services, call)} isPull={isPull} list={list} />);
}
