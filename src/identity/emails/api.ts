import { Type } from "@sinclair/typebox";
import { created, json, noContent } from "../../http/respond.ts";
import { type Route, signedIn, takes } from "../../http/route.ts";
import type { Services } from "../../services.ts";
import { ownAccount } from "../access.ts";
import { EmailResource, EmailsBody, emailResource } from "./resource.ts";

/** `/user/emails`: the caller's own addresses. */
export function emailRoutes({ emails, confirmation }: Services): Route[] {
  const path = "/api/v1/user/emails";
  return [
    {
      method: "GET",
      path,
      surface: "api",
      access: ownAccount,
      doc: {
        id: "userListEmails",
        tag: "user",
        summary: "List the authenticated user's e-mail addresses",
        answers: { 200: { description: "All of them, the primary one included.", schema: Type.Array(EmailResource) } },
      },
      handle: (call) => json(emails.list(call.principal, signedIn(call)).map((email) => emailResource(email))),
    },
    {
      method: "POST",
      path,
      surface: "api",
      access: ownAccount,
      doc: {
        id: "userAddEmail",
        tag: "user",
        summary: "Add e-mail addresses",
        answers: {
          201: { description: "The complete list after the change.", schema: Type.Array(EmailResource) },
          422: { description: "An address is missing, malformed or already in use. None was added." },
        },
      },
      ...takes(EmailsBody, (call, body) => {
        const all = confirmation.add(call.principal, body.emails ?? []);
        return created(all.map((email) => emailResource(email)));
      }),
    },
    {
      method: "DELETE",
      path,
      surface: "api",
      access: ownAccount,
      doc: {
        id: "userDeleteEmail",
        tag: "user",
        summary: "Delete e-mail addresses",
        answers: {
          204: { description: "Deleted." },
          404: { description: "One of them is not the caller's. None was removed." },
          422: { description: "One of them is the primary address. None was removed." },
        },
      },
      ...takes(EmailsBody, (call, body) => {
        emails.remove(call.principal, body.emails ?? []);
        return noContent();
      }),
    },
  ];
}
