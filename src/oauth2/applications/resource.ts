import { type Static, Type } from "@sinclair/typebox";
import { maybeYesNo, text, texts, time, whole, yesNo } from "../../http/fields.ts";
import { rfc3339 } from "../../kernel/clock.ts";
import type { Application } from "../types.ts";
import { APPLICATION_LIMITS } from "../values.ts";

export const ApplicationResource = Type.Object(
  {
    id: whole("Number of the application."),
    name: text("What people are asked to let in."),
    client_id: text("By what the application names itself."),
    client_secret: text("Its secret, when it has just been made; empty otherwise."),
    confidential_client: yesNo("Whether it can keep the secret; programs on people's own machines cannot."),
    skip_secondary_authorization: yesNo("Whether people who let it in once are not asked again."),
    redirect_uris: texts("Where people may be sent back to.", "An absolute address."),
    created: time("When it was registered."),
  },
  { $id: "OAuth2Application", description: "A program that signs people in with their account here." },
);
export type ApplicationResource = Static<typeof ApplicationResource>;

export const ApplicationBody = Type.Object(
  {
    name: Type.String({ maxLength: APPLICATION_LIMITS.name, description: "What people are asked to let in." }),
    redirect_uris: Type.Array(Type.String({ description: "An absolute address." }), {
      description: "Where people may be sent back to.",
      maxItems: 1000,
      field: "RedirectURIs",
    }),
    confidential_client: maybeYesNo("Whether it can keep a secret; no unless said."),
    skip_secondary_authorization: maybeYesNo("Whether people who let it in once are not asked again; no unless said."),
  },
  { $id: "CreateOAuth2ApplicationOptions", description: "An application to register, or what it is changed to." },
);

/** @param secret shown once */
export function applicationResource(application: Application, secret = ""): ApplicationResource {
  return {
    id: application.id,
    name: application.name,
    client_id: application.clientId,
    client_secret: secret,
    confidential_client: application.isConfidential,
    skip_secondary_authorization: application.skipsLaterConsent,
    redirect_uris: [...application.redirectUris],
    created: rfc3339(application.createdAt),
  };
}
