import type { Route } from "../../src/http/route.ts";
import { beforeSigningIn, ownAccount } from "../../src/identity/access.ts";
import { Forbidden } from "../../src/kernel/errors.ts";

const refuse = () => {
  throw new Forbidden("account.openid-off");
};

/**
 * OpenID 2 is obsolete and never supported (contract web.md 0.3). OpenID Connect is among the sign-in sources.
 */
export function openid2Pages(): Route[] {
  const paths = ["/user/login/openid", "/user/openid/connect", "/user/openid/register"];
  const own = ["openid", "openid/delete", "openid/toggle_visibility"];
  return [
    ...paths.flatMap((path) =>
      (["GET", "POST"] as const).map(
        (method): Route => ({ method, path, surface: "page", access: beforeSigningIn, handle: refuse }),
      ),
    ),
    ...own.map(
      (sub): Route => ({
        method: "POST",
        path: `/user/settings/security/${sub}`,
        surface: "page",
        access: ownAccount,
        handle: refuse,
      }),
    ),
  ];
}
