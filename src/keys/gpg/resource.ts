import { type Static, Type } from "@sinclair/typebox";
import { text, time, whole, yesNo } from "../../http/fields.ts";
import { rfc3339, ZERO_TIME } from "../../kernel/clock.ts";
import type { GpgKey, WholeGpgKey } from "../types.ts";

const fields = {
  id: whole("Number of the key."),
  primary_key_id: text("Id of the primary key; empty for a primary key."),
  key_id: text("Id of the key, 16 hexadecimal digits."),
  public_key: text("The packet of the public key in base64."),
  emails: Type.Union(
    [
      Type.Array(
        Type.Object(
          { email: text("The address."), verified: yesNo("Whether the address is confirmed.") },
          { $id: "GPGKeyEmail", description: "An address of the owner that the key names." },
        ),
      ),
      Type.Null(),
    ],
    { description: "The owner's addresses that its identities name; null for subkeys." },
  ),
  can_sign: yesNo("Whether it can sign."),
  can_encrypt_comms: yesNo("Whether it can encrypt messages."),
  can_encrypt_storage: yesNo("Whether it can encrypt stored data."),
  can_certify: yesNo("The same as can_sign."),
  verified: yesNo("Whether its owner has signed a token with it."),
  created_at: time("When it was added."),
  expires_at: time("When it expires; the year 1 if never."),
};

const SubkeyResource = Type.Object(
  { ...fields, subkeys: Type.Null({ description: "Subkeys have none." }) },
  { $id: "GPGSubkey", description: "A subkey." },
);

export const GpgKeyResource = Type.Object(
  {
    ...fields,
    subkeys: Type.Union([Type.Array(SubkeyResource), Type.Null()], { description: "Its subkeys." }),
  },
  { $id: "GPGKey", description: "An OpenPGP key of an account." },
);
export type GpgKeyResource = Static<typeof GpgKeyResource>;

export const CreateGpgKeyBody = Type.Object(
  {
    armored_public_key: Type.String({
      description: "The key as text; a block may hold several.",
      field: "ArmoredKey",
    }),
    armored_signature: Type.Optional(text("A detached signature over the token of /user/gpg_key_token.")),
  },
  { $id: "CreateGPGKeyOption", description: "A key to add." },
);

export const VerifyGpgKeyBody = Type.Object(
  {
    key_id: Type.String({ field: "KeyID", description: "Id of the key." }),
    armored_signature: Type.Optional(text("A detached signature over the token of /user/gpg_key_token.")),
  },
  { $id: "VerifyGPGKeyOption", description: "Proof of ownership of a key." },
);

export function gpgKeyResource(key: WholeGpgKey): GpgKeyResource {
  return {
    ...partOf(key, key.primaryKeyId ?? ""),
    emails: key.emails.map(({ email, isVerified }) => ({ email, verified: isVerified })),
    subkeys: key.subkeys.map((subkey) => ({ ...partOf(subkey, key.keyId), emails: null, subkeys: null })),
  };
}

function partOf(key: GpgKey, primaryKeyId: string) {
  return {
    id: key.id,
    primary_key_id: primaryKeyId,
    key_id: key.keyId,
    public_key: Buffer.from(key.packet).toString("base64"),
    can_sign: key.canSign,
    can_encrypt_comms: key.canEncryptComms,
    can_encrypt_storage: key.canEncryptStorage,
    can_certify: key.canSign,
    verified: key.isVerified,
    created_at: rfc3339(key.createdAt),
    expires_at: key.expiresAt === undefined ? ZERO_TIME : rfc3339(key.expiresAt),
  };
}
