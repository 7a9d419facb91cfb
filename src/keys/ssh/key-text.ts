import { ValidationFailed } from "../../kernel/errors.ts";
import {
  curves,
  ecdsaBlob,
  ed25519Blob,
  fingerprintOf,
  type KeyKind,
  type KeyMaterial,
  keyBits,
  readPublicKey,
  rsaBlob,
  typeOf,
  UnknownKeyType,
} from "./public-key.ts";
import { Malformed, WireReader } from "./wire.ts";

/** A public key as entered, in one of its usual formats (contract identity.md 9.3). */
export interface WrittenKey {
  readonly type: string;
  readonly blob: Uint8Array;
  /** `ssh-ed25519 AAAA…`, without the comment. */
  readonly content: string;
  readonly comment: string;
  readonly fingerprint: string;
}

const MAX_TEXT = 16_384;
const MAX_BLOB_BYTES = 4_096;
const MAX_COMMENT = 255;
const MAX_RSA_BITS = 16_384;
/** The minimum size accepted, by kind of key. */
const MIN_BITS: Readonly<Record<KeyKind, number>> = {
  ed25519: 256,
  "ed25519-sk": 256,
  ecdsa: 256,
  "ecdsa-sk": 256,
  rsa: 3071,
};

const refuse = (code: string, params: Record<string, string | number> = {}) =>
  new ValidationFailed(code, { field: "key", params });
const malformed = () => refuse("ssh-key.malformed");

/**
 * Reads a public key: one line of OpenSSH, the bare base64 of it, a block of RFC 4716, or PEM (PKIX, PKCS #1).
 * @throws ValidationFailed `ssh-key.…`; the error contains nothing of the input
 */
export async function readKeyText(text: string): Promise<WrittenKey> {
  const trimmed = text.trim();
  if (/-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----|PuTTY-User-Key-File|---- BEGIN SSH2 ENCRYPTED PRIVATE/.test(trimmed))
    throw refuse("ssh-key.is-private");
  if (trimmed.length > MAX_TEXT) throw refuse("ssh-key.too-large");
  const { blob, comment, type } = await split(trimmed);
  if (blob.length > MAX_BLOB_BYTES) throw refuse("ssh-key.too-large");
  if (comment.length > MAX_COMMENT) throw refuse("ssh-key.comment-too-long", { max: MAX_COMMENT });
  const own = readOr(() => typeOf(blob));
  if (type !== undefined && type !== own) throw refuse("ssh-key.type-mismatch", { named: type, found: own });
  if (own.includes("-cert-v01@")) throw refuse("ssh-key.is-certificate");
  const material = readOr(() => readPublicKey(blob));
  await requireUsable(material);
  const content = `${own} ${Buffer.from(blob).toString("base64")}`;
  return { type: own, blob, content, comment, fingerprint: fingerprintOf(blob) };
}

function readOr<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnknownKeyType)
      throw refuse("ssh-key.type-not-allowed", { type: error.type === "ssh-dss" ? "dsa" : error.type });
    if (error instanceof Malformed) throw malformed();
    throw error;
  }
}

async function requireUsable(material: KeyMaterial): Promise<void> {
  const bits = keyBits(material);
  if (bits < MIN_BITS[material.kind]) throw refuse("ssh-key.too-short", { bits, needed: MIN_BITS[material.kind] });
  if (bits > MAX_RSA_BITS) throw refuse("ssh-key.too-large");
  const { keyObject } = await import("./signature.ts");
  readOr(() => keyObject(material));
}

interface Parts {
  readonly blob: Uint8Array;
  readonly comment: string;
  /** The type written before the key. */
  readonly type: string | undefined;
}

async function split(text: string): Promise<Parts> {
  if (text.startsWith("---- BEGIN SSH2 PUBLIC KEY ----")) return ssh2Block(text);
  if (/^-----BEGIN (RSA )?PUBLIC KEY-----/.test(text)) return { ...(await pem(text)), type: undefined };
  return openSshLine(text);
}

/** A second line is part of the comment, never a second key. */
function openSshLine(text: string): Parts {
  const line = text.replace(/[\r\n]+/g, " ").trim();
  if (/\p{Cc}/u.test(line.replaceAll("\t", " "))) throw malformed();
  const [first = "", second = "", ...rest] = line.split(/[ \t]+/);
  const bare = second === "" || !isBase64(second) ? decode(first) : undefined;
  if (bare) return { blob: bare, comment: [second, ...rest].join(" ").trim(), type: undefined };
  const blob = decode(second);
  // Options before a key in authorized_keys may run commands and are not accepted here.
  if (!blob || !/^[A-Za-z0-9@.-]{1,64}$/.test(first)) throw malformed();
  return { blob, comment: rest.join(" "), type: first };
}

/** RFC 4716: headers, with lines continued by a trailing backslash, then base64. */
function ssh2Block(text: string): Parts {
  const body = /^---- BEGIN SSH2 PUBLIC KEY ----\r?\n([\s\S]*?)\r?\n---- END SSH2 PUBLIC KEY ----$/.exec(text)?.[1];
  if (body === undefined) throw malformed();
  let comment = "";
  const base64: string[] = [];
  for (const line of body.replace(/\\\r?\n/g, "").split(/\r?\n/)) {
    const header = /^([A-Za-z0-9-]+): ?(.*)$/.exec(line);
    if (!header) base64.push(line.trim());
    else if (header[1]?.toLowerCase() === "comment") comment = (header[2] ?? "").replace(/^"(.*)"$/, "$1");
  }
  const blob = decode(base64.join(""));
  if (!blob || /\p{Cc}/u.test(comment)) throw malformed();
  return { blob, comment, type: undefined };
}

async function pem(text: string): Promise<{ blob: Uint8Array; comment: string }> {
  const { createPublicKey } = await import("node:crypto");
  let jwk: { kty?: string; crv?: string; n?: string; e?: string; x?: string; y?: string };
  try {
    jwk = createPublicKey(text).export({ format: "jwk" });
  } catch {
    throw malformed();
  }
  const number = (value: string | undefined) => {
    const bytes = Buffer.from(value ?? "", "base64url");
    const first = bytes.findIndex((byte) => byte !== 0);
    return bytes.subarray(Math.max(first, 0));
  };
  if (jwk.kty === "RSA") return { blob: rsaBlob(number(jwk.e), number(jwk.n)), comment: "" };
  const raw = (value: string | undefined) => Buffer.from(value ?? "", "base64url");
  if (jwk.crv === "Ed25519") return { blob: ed25519Blob(raw(jwk.x)), comment: "" };
  for (const curve of Object.keys(curves) as (keyof typeof curves)[])
    if (jwk.crv === curves[curve].jwk)
      return { blob: ecdsaBlob(curve, Buffer.concat([Buffer.from([4]), raw(jwk.x), raw(jwk.y)])), comment: "" };
  throw refuse("ssh-key.type-not-allowed", { type: String(jwk.crv ?? jwk.kty) });
}

const isBase64 = (text: string) => /^[A-Za-z0-9+/]+={0,2}$/.test(text);

/** The binary key, if the text is base64 that starts like one. */
function decode(text: string): Uint8Array | undefined {
  if (!isBase64(text)) return undefined;
  const blob = Buffer.from(text, "base64");
  try {
    const reader = new WireReader(blob);
    return reader.uint32() <= 64 && blob.length > 8 ? blob : undefined;
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}
