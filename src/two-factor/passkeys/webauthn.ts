import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { ValidationFailed } from "../../kernel/errors.ts";
import type { Passkey } from "../types.ts";

/** The site as authenticators see it: keys are bound to its host name, answers to its origin. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
  readonly name: string;
}

/** ES256, EdDSA, RS256. */
const ALGORITHMS = [-7, -8, -257];

const refused = () => new ValidationFailed("passkey.refused");

/**
 * The protocol: options for browsers, and verification of their answers. The only module that knows
 * @simplewebauthn/server.
 */
export async function registrationOptions(
  party: RelyingParty,
  account: { readonly id: number; readonly login: string; readonly fullName: string },
  known: readonly Passkey[],
  challenge: Uint8Array<ArrayBuffer>,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  return generateRegistrationOptions({
    rpID: party.id,
    rpName: party.name,
    userID: userHandle(account.id),
    userName: account.login,
    userDisplayName: account.fullName || account.login,
    challenge,
    attestationType: "none",
    excludeCredentials: known.map(descriptor),
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

export interface NewCredential {
  readonly credentialId: string;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** @throws ValidationFailed `passkey.refused` for any problem */
export async function verifyRegistration(
  party: RelyingParty,
  response: RegistrationResponseJSON,
  isExpected: (challenge: string) => boolean,
): Promise<NewCredential> {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  await requireNoCertificates(response);
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: isExpected,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) throw refused();
    const { id, publicKey, counter, transports } = registrationInfo.credential;
    return { credentialId: id, publicKey, counter, transports: (transports ?? []).map(String).slice(0, 10) };
  } catch {
    throw refused();
  }
}

/** No attestation was requested; checking certificates would send requests to addresses named in them. */
async function requireNoCertificates({ response }: RegistrationResponseJSON): Promise<void> {
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  try {
    const object = decodeAttestationObject(new Uint8Array(Buffer.from(response.attestationObject, "base64url")));
    const format = object.get("fmt");
    if (format === "none" || (format === "packed" && !object.get("attStmt").get("x5c"))) return;
  } catch {
    throw refused();
  }
  throw refused();
}

/** @param known the account's keys; empty: visitors choose one of their accounts, with user verification */
export async function authenticationOptions(
  party: RelyingParty,
  known: readonly Passkey[],
  challenge: Uint8Array<ArrayBuffer>,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge,
    ...(known.length === 0
      ? { userVerification: "required" }
      : { userVerification: "preferred", allowCredentials: known.map(descriptor) }),
  });
}

/**
 * @returns its signature counter
 * @throws ValidationFailed `passkey.refused`
 */
export async function verifyAuthentication(
  party: RelyingParty,
  passkey: Passkey,
  response: AuthenticationResponseJSON,
  how: { isExpected(challenge: string): boolean; readonly requireUserVerification: boolean },
): Promise<number> {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: how.isExpected,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      // The counter is compared where it is written, so that only one of two concurrent uses succeeds.
      credential: { id: passkey.credentialId, publicKey: passkey.publicKey, counter: 0 },
      requireUserVerification: how.requireUserVerification,
    });
    if (!verified) throw refused();
    return authenticationInfo.newCounter;
  } catch {
    throw refused();
  }
}

/** The account identifier that an authenticator stores with the key: its id, which reveals nothing about the person. */
export function userHandle(userId: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(userId));
  return bytes;
}

const descriptor = ({ credentialId, transports }: Passkey) => ({ id: credentialId, transports: [...transports] });
