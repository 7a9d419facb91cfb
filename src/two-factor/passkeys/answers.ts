import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { ValidationFailed } from "../../kernel/errors.ts";

/** An authenticator's answer as sent by browsers (WebAuthn, section 5.1), as far as it is read. */

const base64url = (max: number) => Type.String({ pattern: "^[A-Za-z0-9_-]+$", maxLength: max });

const common = {
  id: base64url(2000),
  rawId: base64url(2000),
  type: Type.Literal("public-key"),
  clientExtensionResults: Type.Object({}),
};
const Registration = Type.Object({
  ...common,
  response: Type.Object({
    clientDataJSON: base64url(4000),
    attestationObject: base64url(20_000),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 10 })),
  }),
});
const Authentication = Type.Object({
  ...common,
  response: Type.Object({
    clientDataJSON: base64url(4000),
    authenticatorData: base64url(4000),
    signature: base64url(4000),
    userHandle: Type.Optional(Type.Union([base64url(200), Type.Null()])),
  }),
});

/** @throws ValidationFailed `passkey.refused` */
export function registrationAnswer(given: unknown): RegistrationResponseJSON {
  if (!Value.Check(Registration, given)) throw new ValidationFailed("passkey.refused");
  const { id, rawId, type, response } = given;
  const { clientDataJSON, attestationObject, transports } = response;
  // The library's list of transports is closed; a browser's may be newer.
  const known = transports as RegistrationResponseJSON["response"]["transports"];
  const shown = known ? { transports: known } : {};
  return { id, rawId, type, clientExtensionResults: {}, response: { clientDataJSON, attestationObject, ...shown } };
}

/** @throws ValidationFailed `passkey.refused` */
export function authenticationAnswer(given: unknown): AuthenticationResponseJSON {
  if (!Value.Check(Authentication, given)) throw new ValidationFailed("passkey.refused");
  const { id, rawId, type, response } = given;
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  const handle = userHandle ? { userHandle } : {};
  return {
    id,
    rawId,
    type,
    clientExtensionResults: {},
    response: { clientDataJSON, authenticatorData, signature, ...handle },
  };
}
