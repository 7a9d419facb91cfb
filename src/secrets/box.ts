import { Secret } from "./secret.ts";

/** A column of sealed values, which an area stores encrypted. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The column that identifies the row for its lifetime: a primary key. */
  readonly key: string;
}

/**
 * A sealed value cannot be opened: it was sealed with another key or for another row, or is damaged. The message names
 * only the place.
 */
export class SecretUnreadable extends Error {
  override name = "SecretUnreadable";
}

const VERSION = "v1";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface Key {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/**
 * Seals values for the database with keys that are not in it (security rule N1). A sealed value is
 *
 *     v1.<key id>.<base64url of nonce, AES-256-GCM ciphertext and tag>
 *
 * The key is derived (HKDF) from the one in `secret.key`; version, key id and the value's place (`table.column:row`)
 * are authenticated, too, so that a value moved to another row or column cannot be opened.
 */
export class SecretBox {
  private readonly registered = new Map<string, SealedColumn>();
  private derived: readonly Key[] | undefined;

  /** @param keys as in `secret.key`: the first one seals, all of them open */
  constructor(private keys: readonly string[]) {}

  /**
   * Declares a column that holds sealed values (or NULL or an empty text for none), through which its area seals and
   * opens them. Every such column must be declared when the area opens: key rotation seals the values of declared
   * columns again.
   */
  column(column: SealedColumn): {
    seal(rowKey: string | number, secret: Secret): string;
    open(rowKey: string | number, sealed: string): Secret;
  } {
    const name = `${column.table}.${column.column}`;
    if (![column.table, column.column, column.key].every((part) => /^[a-z][a-z0-9_]*$/.test(part)))
      throw new Error(`${name} is no column`);
    if (this.registered.has(name)) throw new Error(`${name} is declared twice`);
    this.registered.set(name, column);
    return {
      seal: (rowKey, secret) => this.seal(placeOf(column, rowKey), secret),
      open: (rowKey, sealed) => this.open(placeOf(column, rowKey), sealed),
    };
  }

  get columns(): readonly SealedColumn[] {
    return [...this.registered.values()];
  }

  /** @param place what the value belongs to; it can be opened only for the same place */
  seal(place: string, secret: Secret): string {
    const [key] = this.derive();
    if (!key) throw new Error("there is no key");
    const { createCipheriv } = process.getBuiltinModule("node:crypto");
    const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
    const cipher = createCipheriv("aes-256-gcm", key.bytes, nonce).setAAD(authenticated(key, place));
    const sealed = Buffer.concat([nonce, cipher.update(secret.reveal(), "utf8"), cipher.final(), cipher.getAuthTag()]);
    return `${VERSION}.${key.id}.${sealed.toString("base64url")}`;
  }

  /** @throws SecretUnreadable */
  open(place: string, sealed: string): Secret {
    const [version, keyId, text = ""] = sealed.split(".");
    const key = this.derive().find(({ id }) => id === keyId);
    if (version !== VERSION || !key)
      throw new SecretUnreadable(`${place} is sealed with a key that is not in secret.key`);
    const bytes = Buffer.from(text, "base64url");
    const damaged = () => new SecretUnreadable(`${place} does not open`);
    if (bytes.length < NONCE_BYTES + TAG_BYTES) throw damaged();
    const { createDecipheriv } = process.getBuiltinModule("node:crypto");
    try {
      const decipher = createDecipheriv("aes-256-gcm", key.bytes, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(authenticated(key, place))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      const opened = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
      return new Secret(opened.toString("utf8"));
    } catch {
      throw damaged();
    }
  }

  /** Whether a value is sealed with the current key. */
  isCurrent(sealed: string): boolean {
    return sealed.split(".")[1] === this.derive()[0]?.id;
  }

  /** Replaces the keys, for the rotation. */
  useKeys(keys: readonly string[]): void {
    this.keys = keys;
    this.derived = undefined;
  }

  get hasOldKeys(): boolean {
    return this.keys.length > 1;
  }

  private derive(): readonly Key[] {
    // On first use: loading node:crypto takes ten milliseconds, and many starts open nothing.
    const { hkdfSync } = process.getBuiltinModule("node:crypto");
    const expand = (key: string, purpose: string, bytes: number) =>
      new Uint8Array(hkdfSync("sha256", Buffer.from(key, "hex"), "", `hearth secrets ${VERSION}: ${purpose}`, bytes));
    this.derived ??= this.keys.map((key) => ({
      id: Buffer.from(expand(key, "id", 6)).toString("hex"),
      bytes: expand(key, "encryption", 32),
    }));
    return this.derived;
  }
}

/** The place that a value of that row is sealed for. */
export function placeOf({ table, column }: SealedColumn, rowKey: string | number): string {
  return `${table}.${column}:${rowKey}`;
}

function authenticated(key: Key, place: string): Buffer {
  return Buffer.from(JSON.stringify([VERSION, key.id, place]));
}
