import type { PublicKey, Subkey } from "openpgp";
import { addressOf } from "./identity-address.ts";

/** A primary key with its subkeys, as stored. */
export interface ReadGpgKey extends ReadGpgPart {
  /** The whole key in binary form. */
  readonly block: Uint8Array;
  /** Addresses in the currently valid identities, in lower case; none if the key has expired or was revoked. */
  readonly emails: readonly string[];
  readonly subkeys: readonly ReadGpgPart[];
}

export interface ReadGpgPart {
  /** 16 upper-case hexadecimal digits. */
  readonly keyId: string;
  readonly fingerprint: string;
  readonly packet: Uint8Array;
  readonly canSign: boolean;
  readonly canEncryptComms: boolean;
  readonly canEncryptStorage: boolean;
  /** Milliseconds since 1970; undefined: never. */
  readonly expiresAt: number | undefined;
}

const MAX_KEYS = 20;
const MAX_PARTS = 200;
/** RFC 9580, section 5.2.3.29 */
const SIGNS = 0x02;
const ENCRYPTS_COMMS = 0x04;
const ENCRYPTS_STORAGE = 0x08;

/** Reads an armored block of public keys; uploads may contain anything. */
export async function run({ armored }: { armored: string }): Promise<{ keys: ReadGpgKey[] } | { malformed: string }> {
  const openpgp = await import("openpgp");
  try {
    if (/BEGIN PGP PRIVATE KEY BLOCK/.test(armored)) return { malformed: "the provided key is a private key" };
    const found = new Map<string, PublicKey>();
    for (const key of await openpgp.readKeys({ armoredKeys: armored.trim() })) {
      if (key.isPrivate()) return { malformed: "the provided key is a private key" };
      if (key.users.length > MAX_PARTS || key.subkeys.length > MAX_PARTS)
        return { malformed: "the key has too many parts" };
      const twin = found.get(key.getFingerprint());
      found.set(key.getFingerprint(), twin ? await twin.update(key) : key);
    }
    if (found.size === 0) return { malformed: "there is no key in it" };
    if (found.size > MAX_KEYS) return { malformed: "there are too many keys in it" };
    return { keys: await Promise.all([...found.values()].map(readKey)) };
  } catch (error) {
    return { malformed: oneLine(error) };
  }

  async function readKey(key: PublicKey): Promise<ReadGpgKey> {
    const flags = await primaryFlags(key);
    const subkeys: ReadGpgPart[] = [];
    for (const subkey of key.subkeys) {
      const part = await readSubkey(key, subkey);
      if (part) subkeys.push(part);
    }
    return {
      ...partOf(key, key.keyPacket, flags),
      expiresAt: timeOf(await key.getExpirationTime().catch(() => null)),
      block: key.write(),
      emails: await heldAddresses(key),
      subkeys,
    };
  }

  /** undefined: it was revoked, or was never bound by the primary key. */
  async function readSubkey(key: PublicKey, subkey: Subkey): Promise<ReadGpgPart | undefined> {
    // An expired one still made the signatures of its time.
    for (const date of [new Date(), ...subkey.bindingSignatures.map(({ created }) => created ?? new Date())]) {
      const binding = await subkey.verify(date).catch(() => undefined);
      if (!binding) continue;
      const flags = binding.keyFlags?.[0] ?? 0;
      // Signing requires the subkey's own binding signature: otherwise anyone could claim another's subkey.
      const signs = await key.getSigningKey(subkey.getKeyID(), date).then(
        () => true,
        () => false,
      );
      return {
        ...partOf(key, subkey.keyPacket, signs ? flags | SIGNS : flags & ~SIGNS, subkey),
        expiresAt: timeOf(await subkey.getExpirationTime(date).catch(() => null)),
      };
    }
    return undefined;
  }

  function partOf(key: PublicKey, packet: PublicKey["keyPacket"] | Subkey["keyPacket"], flags: number, part?: Subkey) {
    const list = new openpgp.PacketList();
    list.push(packet);
    return {
      keyId: (part ?? key).getKeyID().toHex().toUpperCase().padStart(16, "0"),
      fingerprint: (part ?? key).getFingerprint().toUpperCase(),
      packet: list.write(),
      canSign: (flags & SIGNS) !== 0,
      canEncryptComms: (flags & ENCRYPTS_COMMS) !== 0,
      canEncryptStorage: (flags & ENCRYPTS_STORAGE) !== 0,
    };
  }
}

async function primaryFlags(key: PublicKey): Promise<number> {
  for (const date of [new Date(), key.getCreationTime()]) {
    const primary = await key.getPrimaryUser(date).catch(() => undefined);
    // Without flags a key may be used for whatever its algorithm supports.
    if (primary) return primary.selfCertification.keyFlags?.[0] ?? SIGNS;
  }
  return SIGNS;
}

async function heldAddresses(key: PublicKey): Promise<string[]> {
  const holds = await key.verifyPrimaryKey().then(
    () => true,
    () => false,
  );
  if (!holds) return [];
  const emails = new Set<string>();
  for (const user of key.users) {
    const email = user.userID && addressOf(user.userID.userID);
    if (!email) continue;
    const isHeld = await user.verify().then(
      () => true,
      () => false,
    );
    if (isHeld) emails.add(email);
  }
  return [...emails];
}

function timeOf(date: Date | number | null): number | undefined {
  return date instanceof Date ? date.getTime() : undefined;
}

function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s+/g, " ").slice(0, 200);
}
