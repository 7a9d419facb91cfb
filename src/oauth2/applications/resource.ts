import { type Static, Type } from "@sinclair/typebox";
import { maybeYesNo, text, texts, time, whole, yesNo } from "../../http/fields.ts";
import { rfc3339 } from "../../kernel/clock.ts";
import type { Application } from "../types.ts";
import { APPLICATION_LIMITS } from "../values.ts";

export const ApplicationResource = Type.Object(
  {
    id: whole("Number of the application."),
    name: text("The name people see when they are asked to authorize it."),
    client_id: text("Client ID."),
    client_secret: text("Client secret, right after it was created; empty otherwise."),
    confidential_client: yesNo("Whether it can keep the secret; programs on people's own machines cannot."),
    skip_secondary_authorization: yesNo("Whether people who have authorized it are not asked again."),
    redirect_uris: texts("Allowed redirect addresses.", "An absolute address."),
    created: time("When it was registered."),
  },
  { $id: "OAuth2Application", description: "An OAuth2 application." },
);
export type ApplicationResource = Static<typeof ApplicationResource>;

export const ApplicationBody = Type.Object(
  {
    name: Type.String({
      maxLength: APPLICATION_LIMITS.name,
      description: "The name people see when they are asked to authorize it.",
    }),
    redirect_uris: Type.Array(Type.String({ description: "An absolute address." }), {
      description: "Allowed redirect addresses.",
      maxItems: 1000,
      field: "RedirectURIs",
    }),
    confidential_client: maybeYesNo("Whether it can keep a secret; false by default."),
    skip_secondary_authorization: maybeYesNo(
      "Whether to skip asking people who have authorized it before; false by default.",
    ),
  },
  { $id: "CreateOAuth2ApplicationOptions", description: "An OAuth2 application to register or change." },
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
