import { constants, createHash, createPublicKey, publicDecrypt, verify } from "node:crypto";
import type { SignedRequest } from "../../../access/credentials.ts";
import type { ContentHashes } from "../../types.ts";

/**
 * The headers of requests signed by Chef clients (mixlib-authentication; contract packages.md 9.19):
 *
 *     X-Ops-Sign: algorithm=sha1;version=1.0;        X-Ops-Userid: ada
 *     X-Ops-Timestamp: 2026-01-02T03:04:05Z          X-Ops-Content-Hash: base64 of the hash of the body
 *     X-Ops-Authorization-1: base64 of the signature, in lines of sixty characters, each a header
 */
export interface SignedHeaders {
  readonly userId: string;
  readonly version: Version;
  /** As sent. */
  readonly timestamp: string;
  readonly contentHash: string;
  readonly signature: Uint8Array;
}

const versions = ["1.0", "1.1", "1.2", "1.3"] as const;
type Version = (typeof versions)[number];

const MAX_LINES = 100;
const MAX_CHARACTERS = 8_192;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/** @returns undefined if a header is missing, malformed or of an unknown kind */
export function readSignedHeaders(header: SignedRequest["header"]): SignedHeaders | undefined {
  const said = new Map(
    (header("x-ops-sign") ?? "").split(";").map((part) => {
      const [name = "", value = ""] = part.split("=");
      return [name.trim().toLowerCase(), value.trim()];
    }),
  );
  const version = versions.find((each) => each === said.get("version"));
  // Old clients name no algorithm.
  const algorithm = said.get("algorithm") ?? "sha1";
  if (!version || !(algorithm === "sha1" || (algorithm === "sha256" && version === "1.3"))) return undefined;
  const timestamp = header("x-ops-timestamp")?.trim() ?? "";
  const userId = header("x-ops-userid")?.trim() ?? "";
  const contentHash = header("x-ops-content-hash")?.trim() ?? "";
  const signature = signatureOf(header);
  if (!TIMESTAMP.test(timestamp) || userId === "" || contentHash === "" || !signature) return undefined;
  return { userId, version, timestamp, contentHash, signature };
}

function signatureOf(header: SignedRequest["header"]): Uint8Array | undefined {
  let text = "";
  for (let line = 1; line <= MAX_LINES && text.length <= MAX_CHARACTERS; line++) {
    const part = header(`x-ops-authorization-${line}`);
    if (part === null) break;
    text += part.trim();
  }
  const isBase64 = text.length <= MAX_CHARACTERS && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
  return isBase64 ? Buffer.from(text, "base64") : undefined;
}

/**
 * Whether the signature is valid for the request.
 * @param paths the paths the client may have signed
 */
export function isSignedBy(
  publicKey: string,
  signed: SignedRequest,
  headers: SignedHeaders,
  paths: readonly string[],
): boolean {
  const key = createPublicKey(publicKey);
  const { signature, version } = headers;
  const texts = paths.flatMap((path) => canonicalTexts(signed, headers, path));
  if (version === "1.0" || version === "1.1") {
    const text = recovered(publicKey, signature);
    return text !== undefined && texts.includes(text);
  }
  return texts.some((text) => verify(version === "1.3" ? "sha256" : "sha1", Buffer.from(text), key, signature));
}

/** The text that these versions encrypt with the private key instead of signing a hash; undefined if that fails. */
function recovered(key: string, signature: Uint8Array): string | undefined {
  try {
    return publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature).toString();
  } catch {
    return undefined;
  }
}

function canonicalTexts({ header, method }: SignedRequest, headers: SignedHeaders, path: string): string[] {
  const { contentHash, timestamp, userId, version } = headers;
  const first = `Method:${method.toUpperCase()}`;
  if (version !== "1.3") {
    const user = version === "1.0" ? userId : sha1Of(userId);
    return [
      [
        first,
        `Hashed Path:${sha1Of(path)}`,
        `X-Ops-Content-Hash:${contentHash}`,
        `X-Ops-Timestamp:${timestamp}`,
        `X-Ops-UserId:${user}`,
      ].join("\n"),
    ];
  }
  // Clients that send no API version sign the default, or nothing.
  const sent = header("x-ops-server-api-version");
  return (sent === null ? ["0", ""] : [sent.trim()]).map((apiVersion) =>
    [
      first,
      `Path:${path}`,
      `X-Ops-Content-Hash:${contentHash}`,
      `X-Ops-Sign:version=${version}`,
      `X-Ops-Timestamp:${timestamp}`,
      `X-Ops-UserId:${userId}`,
      `X-Ops-Server-API-Version:${apiVersion}`,
    ].join("\n"),
  );
}

const sha1Of = (text: string) => createHash("sha1").update(text).digest("base64");

/** Whether the signed hash is that of the content: for a form, clients sign the file. */
export function coversContent(contentHash: string | null, { sha1, sha256 }: ContentHashes): boolean {
  return [sha1, sha256].some((hash) => Buffer.from(hash, "hex").toString("base64") === contentHash?.trim());
}

/** Normalizes a path as clients do before signing: no repeated slashes, no trailing slash. */
export function cleanPath(path: string): string {
  const single = path.replace(/\/+/g, "/");
  return single.length > 1 ? single.replace(/\/$/, "") : single;
}
