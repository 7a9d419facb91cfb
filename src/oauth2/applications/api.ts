import { type Static, Type } from "@sinclair/typebox";
import { lists } from "../../http/query.ts";
import { counted, created, json, noContent } from "../../http/respond.ts";
import { type Call, param, type Route, takes } from "../../http/route.ts";
import { ownAccount } from "../../identity/access.ts";
import { NotFound } from "../../kernel/errors.ts";
import type { Services } from "../../services.ts";
import type { ApplicationFields } from "../types.ts";
import { ApplicationBody, ApplicationResource, applicationResource } from "./resource.ts";

/** `/user/applications/oauth2`: the caller's own applications. */
export function applicationRoutes({ oauth2Applications: applications }: Services): Route[] {
  const path = "/api/v1/user/applications/oauth2";
  const common = { surface: "api", access: ownAccount } as const;
  const params = { id: "Number of the application." };
  const missing = { 404: { description: "The caller has no such application." } };
  const refused = { 400: { description: "An address is not absolute, or uses a scheme that is not allowed." } };
  return [
    {
      ...common,
      method: "GET",
      path,
      doc: {
        id: "userGetOauth2Application",
        tag: "user",
        summary: "List the authenticated user's OAuth2 applications",
        answers: {
          200: { description: "A page of them, newest first.", schema: Type.Array(ApplicationResource) },
        },
      },
      ...lists({}, (call) => {
        const { items, total } = applications.list(call.principal, "own", call.paging);
        return counted(
          items.map((application) => applicationResource(application)),
          total,
        );
      }),
    },
    {
      ...common,
      method: "POST",
      path,
      doc: {
        id: "userCreateOAuth2Application",
        tag: "user",
        summary: "Register an OAuth2 application",
        answers: {
          201: {
            description: "The application with its secret, which is shown only once.",
            schema: ApplicationResource,
          },
          ...refused,
        },
      },
      ...takes(ApplicationBody, (call, body) => {
        const { application, secret } = applications.create(call.principal, "own", fieldsOf(body));
        return created(applicationResource(application, secret));
      }),
    },
    {
      ...common,
      method: "GET",
      path: `${path}/:id`,
      doc: {
        id: "userGetOAuth2Application",
        tag: "user",
        summary: "Get an OAuth2 application",
        params,
        answers: { 200: { description: "The application.", schema: ApplicationResource }, ...missing },
      },
      handle: (call) => json(applicationResource(applications.get(call.principal, "own", numberOf(call)))),
    },
    {
      ...common,
      method: "PATCH",
      path: `${path}/:id`,
      doc: {
        id: "userUpdateOAuth2Application",
        tag: "user",
        summary: "Change an OAuth2 application and give it a new secret",
        params,
        answers: {
          200: { description: "The application with its new secret.", schema: ApplicationResource },
          ...refused,
          ...missing,
        },
      },
      ...takes(
        ApplicationBody,
        (call, body) => {
          const fields = fieldsOf(body);
          const { application, secret } = applications.editWithNewSecret(call.principal, "own", numberOf(call), fields);
          return json(applicationResource(application, secret));
        },
        { before: (call) => applications.get(call.principal, "own", numberOf(call)) },
      ),
    },
    {
      ...common,
      method: "DELETE",
      path: `${path}/:id`,
      doc: {
        id: "userDeleteOAuth2Application",
        tag: "user",
        summary: "Delete an OAuth2 application",
        params,
        answers: { 204: { description: "Deleted; its tokens are no longer valid." }, ...missing },
      },
      handle: (call) => {
        applications.remove(call.principal, "own", numberOf(call));
        return noContent();
      },
    },
  ];
}

/** @throws NotFound it is not a number */
function numberOf(call: Call): number {
  const id = param(call, "id");
  if (!/^\d{1,15}$/.test(id)) throw new NotFound();
  return Number(id);
}

function fieldsOf(body: Static<typeof ApplicationBody>): ApplicationFields {
  return {
    name: body.name.trim(),
    redirectUris: body.redirect_uris,
    isConfidential: body.confidential_client ?? false,
    skipsLaterConsent: body.skip_secondary_authorization ?? false,
  };
}
