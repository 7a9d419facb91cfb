import { Type } from "@sinclair/typebox";
import { readChecked } from "../../http/body.ts";
import { created, json, noContent } from "../../http/respond.ts";
import { type Access, type Route, signedIn } from "../../http/route.ts";
import type { Services } from "../../services.ts";
import { BODY_LIMIT } from "../body-limit.ts";
import { EmailResource, EmailsBody, emailResource } from "./resource.ts";

const own: Access = { who: "user", scopes: ["user"], publicOnly: "refused" };

/** `/user/emails`: the caller's own addresses. */
export function emailRoutes({ identity, confirmation }: Services): Route[] {
  const path = "/api/v1/user/emails";
  return [
    {
      method: "GET",
      path,
      surface: "api",
      access: own,
      doc: {
        id: "userListEmails",
        tag: "user",
        summary: "List the authenticated user's e-mail addresses",
        answers: { 200: { description: "All of them, the primary one included.", schema: Type.Array(EmailResource) } },
      },
      handle: (call) => json(identity.emails(signedIn(call)).map((email) => emailResource(email))),
    },
    {
      method: "POST",
      path,
      surface: "api",
      access: own,
      doc: {
        id: "userAddEmail",
        tag: "user",
        summary: "Add e-mail addresses",
        body: EmailsBody,
        answers: {
          201: { description: "The complete list after the change.", schema: Type.Array(EmailResource) },
          422: { description: "No address, one that is malformed, or one that someone has. None was added." },
        },
      },
      handle: async (call) => {
        const { emails = [] } = await readChecked(EmailsBody, call, BODY_LIMIT);
        return created(confirmation.add(call.principal, emails).map((email) => emailResource(email)));
      },
    },
    {
      method: "DELETE",
      path,
      surface: "api",
      access: own,
      doc: {
        id: "userDeleteEmail",
        tag: "user",
        summary: "Delete e-mail addresses",
        body: EmailsBody,
        answers: {
          204: { description: "They are gone." },
          404: { description: "One of them is not the caller's. None was removed." },
          422: { description: "One of them is the primary address. None was removed." },
        },
      },
      handle: async (call) => {
        const { emails = [] } = await readChecked(EmailsBody, call, BODY_LIMIT);
        identity.removeEmails(signedIn(call), emails);
        return noContent();
      },
    },
  ];
}
