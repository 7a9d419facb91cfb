import { Type } from "@sinclair/typebox";
import { text, yesNo } from "../../http/fields.ts";
import type { Verification } from "./service.ts";

export const VerificationResource = Type.Object(
  {
    verified: yesNo("Whether the signature is good and its key is an account's."),
    reason: text("Who signed it, or why that is not known."),
    signature: text("The signature; empty when there is none."),
    signer: Type.Union(
      [
        Type.Object({
          name: text("Name of the signer."),
          email: text("Address of the signer."),
          username: text("Account of the signer; empty when it is the server."),
        }),
        Type.Null(),
      ],
      { description: "Who signed it." },
    ),
    payload: text("What was signed; empty when nothing was."),
  },
  { $id: "PayloadCommitVerification", description: "What is known of a signature." },
);

/** @param signed the exact bytes that were signed */
export function verificationResource(
  verification: Verification | undefined,
  signature: string | undefined,
  signed: Uint8Array | undefined,
) {
  const { isVerified = false, reason = "gpg.error.not_signed_commit", signer } = verification ?? {};
  return {
    verified: isVerified,
    reason,
    signature: signature ?? "",
    signer: signer ? { name: signer.name, email: signer.email, username: signer.user?.login ?? "" } : null,
    payload: signed ? new TextDecoder().decode(signed) : "",
  };
}
