import type { User } from "../../src/access/user.ts";
import { QUARTER_HOUR_MS } from "../../src/activity/service.ts";
import { movedTarget } from "../../src/http/path.ts";
import { json, plain, redirect } from "../../src/http/respond.ts";
import { type Call, param, type Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import type { ProfileCardPart, ProfileTab, WebServices } from "../area.ts";
import type { Children } from "../jsx/types.ts";
import { languageOfCall } from "../language.ts";
import { avatarHref, userHref, withQuery } from "../links.ts";
import { personOf } from "../people.ts";
import { avatarAt } from "../site/routes.ts";
import { anyone, shellOf, show } from "../visit.ts";
import { ProfilePage, type ProfileUser } from "./profile.tsx";

/** The page of an account. */
export function profilePages(services: WebServices): Route[] {
  return [
    {
      method: "GET",
      path: "/:owner",
      surface: "page",
      access: { ...anyone, scopes: ["user"], takesBasic: true },
      handle: (call) => profile(services, call),
    },
    {
      method: "GET",
      path: "/:owner/-/heatmap",
      surface: "page",
      access: anyone,
      handle: (call) => heatMap(services, call),
    },
  ];
}

/** The data of the heat map, for other programs (contract web.md 1.5). */
function heatMap({ activity, identity }: WebServices, call: Call): Response {
  const user = identity.visible(call.principal, param(call, "owner"), (login) =>
    movedTarget(call.target, call.pattern, { owner: login }),
  );
  const spans = activity.contributions(call.principal, user, QUARTER_HOUR_MS);
  return json({
    heatmapData: spans.map(({ from, count }) => [from / 1000, count]),
    totalContributions: spans.reduce((sum, { count }) => sum + count, 0),
  });
}

async function profile(services: WebServices, call: Call): Promise<Response> {
  const name = param(call, "owner");
  // An account named admin, which the command line can create, keeps its page.
  if (name.toLowerCase() === "admin" && !services.identity.byLogin(name)) return redirect("/-/admin");
  // `.rss` and similar suffixes are other formats of the page; account names never end in them.
  const [, login = name, form] = /^(.+)\.(png|rss|atom|keys|gpg)$/i.exec(name) ?? [];
  const query = call.target.slice(call.path.length);
  const user = services.identity.visible(
    call.principal,
    login,
    (present) => `${userHref(present)}${form ? `.${form}` : ""}${query}`,
  );
  const other = services.accountPages.find(({ kind }) => kind === user.kind);
  if (!other && user.kind !== "individual" && user.kind !== "bot") throw new NotFound();
  if (form && form.toLowerCase() !== "png") {
    if (other) throw new NotFound();
    return keysAsText(services, user, form.toLowerCase());
  }
  if (form) return avatarAt(avatarHref(user));
  if (other) return other.show(services, call, user);
  const tabs = await tabsOf(services, call, user);
  const asked = call.query.get("tab");
  const current = tabs.find((tab) => tab.id === asked) ?? tabs[0];
  return profilePage(services, call, user, current, await current?.show(services, call, user), tabs);
}

async function tabsOf(services: WebServices, call: Call, user: User): Promise<ProfileTab[]> {
  const shown = await Promise.all(services.profileTabs.map((tab) => tab.shown?.(services, call, user) ?? true));
  return services.profileTabs.filter((_tab, at) => shown[at]);
}

/**
 * An account's page with that tab: its content, or a list of the same kind with its own URL.
 * @param known the tabs, if the caller has already loaded them
 */
export async function profilePage(
  services: WebServices,
  call: Call,
  user: User,
  current: Pick<ProfileTab, "id"> | undefined,
  content: Children,
  known?: readonly ProfileTab[],
): Promise<Response> {
  const language = languageOfCall(call);
  const tabs = known ?? (await tabsOf(services, call, user));
  return show(
    call,
    <ProfilePage
      shell={shellOf(services, call)}
      user={profileUser(call, user)}
      isSelf={call.principal.user?.id === user.id}
      head={cardParts(services, call, user, "head")}
      foot={cardParts(services, call, user, "foot")}
      tabs={tabs.map((tab) => ({
        label: tab.label(language),
        icon: tab.icon,
        count: tab.count?.(services, call, user),
        href: withQuery(userHref(user.login), { tab: tab.id }),
        current: tab.id === current?.id,
      }))}
    >
      {content}
    </ProfilePage>,
  );
}

/** An account's public keys for programs: a line per SSH key, a block per GPG key. */
function keysAsText({ gpgKeys, sshKeys }: WebServices, user: User, form: string): Response {
  if (form === "keys") return plain(sshKeys.lines(user));
  if (form === "gpg") return plain(gpgKeys.armored(user));
  throw new NotFound();
}

function cardParts(services: WebServices, call: Call, user: User, place: ProfileCardPart["place"]): Children {
  return services.profileCard.filter((part) => part.place === place).map((part) => part.show(services, call, user));
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
