import { Type } from "@sinclair/typebox";
import { text, yesNo } from "../../http/fields.ts";
import type { Verification } from "./service.ts";

export const VerificationResource = Type.Object(
  {
    verified: yesNo("Whether the signature is valid and its key belongs to an account."),
    reason: text("The signer, or the reason why it is not verified."),
    signature: text("The signature; empty if there is none."),
    signer: Type.Union(
      [
        Type.Object({
          name: text("Name of the signer."),
          email: text("Address of the signer."),
          username: text("Account of the signer; empty for the server."),
        }),
        Type.Null(),
      ],
      { description: "Who signed it." },
    ),
    payload: text("The signed data; empty if there is none."),
  },
  { $id: "PayloadCommitVerification", description: "Verification of a signature." },
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
