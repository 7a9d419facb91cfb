/** The header of a signed request (draft-cavage-http-signatures-12; contract identity.md 4.1). */
export interface SignatureHeader {
  readonly keyId: string;
  readonly signature: Uint8Array;
  /** Names of the covered fields, in lower case, in signing order. */
  readonly covered: readonly string[];
  /** Seconds since 1970. */
  readonly created: number | undefined;
  readonly expires: number | undefined;
}

const MAX_CHARACTERS = 8_192;
const MAX_COVERED = 32;

/** @returns undefined if it is malformed, too long, or has duplicate parameters */
export function readSignatureHeader(header: string): SignatureHeader | undefined {
  if (header.length > MAX_CHARACTERS) return undefined;
  const values = parametersOf(header.trim());
  if (!values) return undefined;
  const created = seconds(values.get("created"));
  const expires = seconds(values.get("expires"));
  const keyId = values.get("keyId")?.text;
  const signature = values.get("signature")?.text;
  if (created === null || expires === null || !keyId || !signature) return undefined;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(signature) || signature.length % 4 !== 0) return undefined;
  const covered = (values.get("headers")?.text ?? "date").toLowerCase().split(" ");
  if (covered.length > MAX_COVERED || covered.includes("") || new Set(covered).size !== covered.length)
    return undefined;
  return { keyId, signature: Buffer.from(signature, "base64"), covered, created, expires };
}

interface Value {
  readonly text: string;
  readonly isQuoted: boolean;
}

function parametersOf(header: string): Map<string, Value> | undefined {
  const values = new Map<string, Value>();
  const parameter = /([A-Za-z]{1,32})=(?:"([^"\\]{0,8192})"|([0-9]{1,12}))(, ?|$)/y;
  let isLast = false;
  while (!isLast) {
    const [, name, quoted, bare, comma] = parameter.exec(header) ?? [];
    if (name === undefined || values.has(name)) return undefined;
    values.set(name, { text: quoted ?? bare ?? "", isQuoted: quoted !== undefined });
    isLast = comma === "";
  }
  return values;
}

/** A time without quotes; null if it is malformed. */
function seconds(value: Value | undefined): number | undefined | null {
  if (value === undefined) return undefined;
  return !value.isQuoted && /^\d{1,12}$/.test(value.text) ? Number(value.text) : null;
}
