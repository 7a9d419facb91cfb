import type { User } from "../../src/access/user.ts";
import { redirect } from "../../src/http/respond.ts";
import { type Call, param, type Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import type { WebServices } from "../area.ts";
import { pageOf, repoOrder, wordsOf } from "../explore/routes.tsx";
import { activityItems, type FindPushed } from "../home/activity-items.ts";
import { pushedCommits } from "../home/pushed-commits.ts";
import { avatarHref, userHref, withQuery } from "../links.ts";
import { personOf } from "../people.ts";
import { repoItem } from "../repos/items.ts";
import { avatarAt } from "../site/routes.ts";
import { anyone, shellOf, show } from "../visit.ts";
import { ProfilePage, type ProfileTab, type ProfileUser } from "./profile.tsx";

const PER_PAGE = 15;
const FEED_LENGTH = 20;

/** The page of an account. */
export function profilePages(services: WebServices): Route[] {
  const findPushed = pushedCommits(services);
  return [
    {
      method: "GET",
      path: "/:owner",
      surface: "page",
      access: anyone,
      handle: (call) => profile(services, call, findPushed),
    },
  ];
}

async function profile(services: WebServices, call: Call, findPushed: FindPushed): Promise<Response> {
  const name = param(call, "owner");
  // An account called admin, which the terminal can make, keeps its own page.
  if (name.toLowerCase() === "admin" && !services.identity.byLogin(name)) return redirect("/-/admin");
  // `.rss` and its like are other forms of the page; an account's name never ends so.
  const [, login = name, form] = /^(.+)\.(png|rss|atom|keys|gpg)$/i.exec(name) ?? [];
  const query = call.target.slice(call.path.length);
  const user = services.identity.visible(
    call.principal,
    login,
    (present) => `${userHref(present)}${form ? `.${form}` : ""}${query}`,
  );
  if (user.kind !== "individual" && user.kind !== "bot") throw new NotFound();
  if (form && form.toLowerCase() !== "png") throw new NotFound();
  if (form) return avatarAt(avatarHref(user));
  const wished = call.query.get("tab");
  const tab =
    wished === "activity" ? await activityTab(services, call, user, findPushed) : reposTab(services, call, user);
  return show(
    call,
    <ProfilePage
      shell={shellOf(services, call)}
      user={profileUser(call, user)}
      isSelf={call.principal.user?.id === user.id}
      repoCount={tab.kind === "repositories" && tab.query === "" ? tab.pages.total : repoCount(services, call, user)}
      hasOverview={false}
      tab={tab}
    />,
  );
}

function repoCount(services: WebServices, call: Call, user: User): number {
  return services.repoSearch.ownedBy(call.principal, user, { page: 1, limit: 1, offset: 0 }).total;
}

function profileUser(call: Call, user: User): ProfileUser {
  const showsEmail = !user.hideEmail && call.principal.user !== undefined;
  return {
    ...personOf(user),
    fullName: user.fullName,
    description: user.description,
    location: user.location,
    website: user.website,
    joinedAt: user.createdAt,
    isSiteAdmin: user.isAdmin && (call.principal.user?.isAdmin ?? false),
    ...(showsEmail ? { email: user.email } : {}),
  };
}

function reposTab(services: WebServices, call: Call, user: User): ProfileTab {
  const query = wordsOf(call);
  const order = repoOrder(call);
  const slice = pageOf(call, PER_PAGE);
  const found = services.repoSearch.search(
    call.principal,
    { text: query, inDescription: true, around: user.id, exclusive: true, ...order.wishes },
    slice,
  );
  const href = withQuery(userHref(user.login), {
    tab: "repositories",
    q: query,
    sort: order.name === "recentupdate" ? undefined : order.name,
  });
  return {
    kind: "repositories",
    repos: found.items.map(repoItem),
    query,
    sort: order.name,
    pages: { page: slice.page, perPage: PER_PAGE, total: found.total, href },
  };
}

async function activityTab(services: WebServices, call: Call, user: User, findPushed: FindPushed): Promise<ProfileTab> {
  const mayRead = call.principal.user?.id === user.id || call.principal.user?.isAdmin === true;
  if (user.hideActivity && !mayRead) return { kind: "activity", items: [], hidden: "for-you" };
  const items = await activityItems(services.activity.by(call.principal, user, FEED_LENGTH), findPushed);
  return { kind: "activity", items, hidden: user.hideActivity ? "for-others" : "no" };
}
