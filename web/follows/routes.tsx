import { followsAccounts } from "../../src/follows/access.ts";
import { movedTarget } from "../../src/http/path.ts";
import { isPartial } from "../../src/http/respond.ts";
import { type Call, param, type Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import type { WebServices } from "../area.ts";
import { readForm } from "../form-data.ts";
import { userHref } from "../links.ts";
import { redirectAfterPost, showPart } from "../visit.ts";
import { FollowCard, followProps } from "./button.tsx";

/** The form handler of the button on an account's page (contract web.md 1.5). */
export function followPages(services: WebServices): Route[] {
  return [
    {
      method: "POST",
      path: "/:owner",
      surface: "page",
      access: followsAccounts,
      handle: (call) => change(services, call),
    },
  ];
}

/** Takes `action` from the URL or the form: `follow`, `unfollow`. */
async function change(services: WebServices, call: Call): Promise<Response> {
  const { follows, identity } = services;
  const user = identity.visible(call.principal, param(call, "owner"), (login) =>
    movedTarget(call.target, call.pattern, { owner: login }),
  );
  const form = await readForm(call);
  const action = call.query.get("action") ?? form.text("action");
  if (action === "follow") follows.follow(call.principal, user);
  else if (action === "unfollow") follows.unfollow(call.principal, user);
  else throw new NotFound();
  if (!isPartial(call.request)) return redirectAfterPost(services, call, userHref(user.login));
  return showPart(call, <FollowCard {...followProps(services, call, user)} />);
}
