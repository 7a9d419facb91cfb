import type { User } from "../access/user.ts";
import { asks, textParam } from "../http/query.ts";
import { json } from "../http/respond.ts";
import type { Route } from "../http/route.ts";
import type { Links } from "../kernel/links.ts";
import { segment } from "../kernel/url-path.ts";
import type { Services } from "../services.ts";
import { userActor } from "./addresses.ts";

const HEADERS = { "content-type": "application/jrd+json" };

/** Looks up the account of an address (RFC 7033; contract identity.md 16.4). */
export function webFingerRoute({ federation, links }: Services): Route {
  return {
    method: "GET",
    path: "/.well-known/webfinger",
    surface: "open",
    access: { who: "anyone", scopes: [], publicOnly: "filtered" },
    ...asks({ resource: textParam("What is asked about: `acct:name@host`.") }, (call, { resource }) => {
      // Refusals must also be readable by scripts of other sites (RFC 7033 section 5).
      call.header("access-control-allow-origin", "*");
      return json(descriptor(federation.find(resource), links), 200, HEADERS);
    }),
  };
}

function descriptor(user: User, links: Links) {
  const { rootUrl } = links;
  const page = `${rootUrl}${segment(user.login)}`;
  const actor = userActor(links, user);
  const address = user.kind === "organization" || user.hideEmail || user.email === "" ? [] : [`mailto:${user.email}`];
  return {
    subject: `acct:${user.login}@${new URL(rootUrl).host}`,
    aliases: [page, actor, ...address],
    links: [
      { rel: "http://webfinger.net/rel/profile-page", type: "text/html", href: page },
      { rel: "http://webfinger.net/rel/avatar", href: `${rootUrl}avatars/${user.avatar || user.login.toLowerCase()}` },
      { rel: "self", type: "application/activity+json", href: actor },
      { rel: "http://openid.net/specs/connect/1.0/issuer", href: rootUrl },
    ],
  };
}
