import { json } from "../http/respond.ts";
import { type Route, signedIn } from "../http/route.ts";
import type { Services } from "../services.ts";
import { UserResource, userResource } from "./resource.ts";

/** `/user` and `/users`: accounts. */
export function identityRoutes({ links }: Services): Route[] {
  return [
    {
      method: "GET",
      path: "/api/v1/user",
      surface: "api",
      access: { who: "user", scopes: ["user"], publicOnly: "filtered" },
      doc: {
        id: "userGetCurrent",
        tag: "user",
        summary: "The account that asks",
        answers: { 200: { description: "The account, with everything it may see of itself.", schema: UserResource } },
      },
      handle: (call) => json(userResource(signedIn(call), call.actor, links)),
    },
  ];
}
