import type { Principal } from "../access/principal.ts";
import { requireSiteAdmin } from "../access/requirements.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { ValidationFailed } from "../kernel/errors.ts";
import { fingerprintOf } from "../keys/ssh/public-key.ts";
import type { SecretBox } from "../secrets/box.ts";
import { Secret } from "../secrets/secret.ts";
import * as store from "./store.ts";

/** The public part of a host key. */
export interface HostKey {
  readonly type: string;
  /** `SHA256:…`, as clients show it before they trust it. */
  readonly fingerprint: string;
  /** As in `known_hosts`: type and base64. */
  readonly line: string;
  readonly createdAt: number;
}

/** The kinds of host keys, one of each, in the order they are generated. */
const KINDS = [
  { type: "ssh-ed25519", name: "ed25519", options: {} },
  { type: "ecdsa-sha2-nistp256", name: "ecdsa", options: { bits: 256 } },
  { type: "ssh-rsa", name: "rsa", options: { bits: 3072 } },
] as const;

const IMPORTABLE = new Set([
  "ssh-ed25519",
  "ecdsa-sha2-nistp256",
  "ecdsa-sha2-nistp384",
  "ecdsa-sha2-nistp521",
  "ssh-rsa",
]);
/**
 * The size of a 2048-bit RSA key's number with its framing: servers that people migrate from may use keys that small.
 */
const MIN_RSA_BLOB_BYTES = 11 + 5 + 260;

/** Length of a public Ed25519 key: name and 32 bytes, each length-prefixed. */
const ED25519_BLOB_BYTES = 4 + 11 + 4 + 32;

/** ssh2 strips leading zeros from Ed25519 public keys it generates (one in 256), and then cannot read them. */
const isCut = ({ publicKey, type }: Pick<store.StoredHostKey, "publicKey" | "type">): boolean =>
  type === "ssh-ed25519" && publicKey.length !== ED25519_BLOB_BYTES;

/**
 * The host keys by which clients recognize the server. They are stored in the database, sealed, so that a backup has
 * them and clients trust a restored server.
 */
export class HostKeys {
  private readonly sealed: ReturnType<SecretBox["column"]>;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    secrets: SecretBox,
  ) {
    this.sealed = secrets.column({ table: "ssh_host_keys", column: "private_key", key: "type" });
  }

  list(): HostKey[] {
    return store.hostKeys(this.db).map(shown);
  }

  /**
   * The private keys, in OpenSSH's form; missing or unusable ones are generated. Ed25519 comes first because clients
   * prefer it.
   */
  async load(): Promise<string[]> {
    const present = new Set(
      store
        .hostKeys(this.db)
        .filter((key) => !isCut(key))
        .map(({ type }) => type),
    );
    for (const kind of KINDS) {
      const isThere =
        kind.name === "ecdsa" ? [...present].some((type) => type.startsWith("ecdsa-")) : present.has(kind.type);
      if (!isThere) this.put(kind.type, await generate(kind));
    }
    return this.stored();
  }

  /** The stored ones. @throws SecretUnreadable */
  stored(): string[] {
    return store
      .hostKeys(this.db)
      .toSorted((a, b) => Number(b.type === "ssh-ed25519") - Number(a.type === "ssh-ed25519"))
      .map(({ type, privateKey }) => this.sealed.open(type, privateKey).reveal());
  }

  /**
   * Imports a key, replacing one of the same type: for a server that takes over another's address.
   * @param text a private key without passphrase, in OpenSSH's form or PEM
   * @throws Forbidden not an administrator; ValidationFailed `ssh.bad-host-key`
   */
  async import(principal: Principal, text: string): Promise<HostKey> {
    requireSiteAdmin(principal);
    const { utils } = await import("ssh2");
    const parsed = utils.parseKey(text);
    const refused = () => new ValidationFailed("ssh.bad-host-key", { field: "key" });
    if (parsed instanceof Error || !parsed.isPrivateKey() || !IMPORTABLE.has(parsed.type)) throw refused();
    const publicKey = parsed.getPublicSSH();
    if (parsed.type === "ssh-rsa" && publicKey.length < MIN_RSA_BLOB_BYTES) throw refused();
    this.put(parsed.type, { publicKey, privateKey: text });
    const key = this.list().find(({ type }) => type === parsed.type);
    if (!key) throw new Error("the host key was not stored");
    return key;
  }

  private put(type: string, { publicKey, privateKey }: { publicKey: Uint8Array; privateKey: string }): void {
    store.putHostKey(this.db, {
      type,
      publicKey: Uint8Array.from(publicKey),
      privateKey: this.sealed.seal(type, new Secret(privateKey)),
      createdAt: this.clock(),
    });
  }
}

function shown({ type, publicKey, createdAt }: store.StoredHostKey): HostKey {
  const line = `${type} ${Buffer.from(publicKey).toString("base64")}`;
  return { type, fingerprint: fingerprintOf(publicKey), line, createdAt };
}

/** Off the main thread: RSA key generation takes half a second. */
async function generate(kind: (typeof KINDS)[number]): Promise<{ publicKey: Buffer; privateKey: string }> {
  const { utils } = await import("ssh2");
  const { name, options, type } = kind;
  const pair = await new Promise<{ private: string; public: string }>((resolve, reject) =>
    utils.generateKeyPair(name as "rsa", options as { bits: number }, (error, keys) =>
      error ? reject(error) : resolve(keys),
    ),
  );
  const publicKey = Buffer.from(pair.public.split(" ")[1] ?? "", "base64");
  return isCut({ publicKey, type }) ? generate(kind) : { publicKey, privateKey: pair.private };
}
