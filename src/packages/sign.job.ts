import { sign as signRaw } from "node:crypto";

/** What to sign, and in which form. */
export type SigningRequest = SigningOfBytes | SigningOfFile;

interface SigningOfBytes {
  readonly data: Uint8Array;
  /**
   * A detached OpenPGP signature, armoured or not; the text with a signature below it (cleartext); or PKCS#1 v1.5 with
   * SHA-1, made with a PEM key.
   */
  readonly form: "armored" | "binary" | "cleartext" | "rsa-sha1";
}

/** A detached binary OpenPGP signature of a file from an offset on. */
interface SigningOfFile {
  readonly path: string;
  readonly start?: number;
}

/** Signs for a registry. @param privateKey armoured or PEM */
export async function run({
  privateKey,
  requests,
}: {
  readonly privateKey: string;
  readonly requests: readonly SigningRequest[];
}): Promise<Uint8Array[]> {
  const signed: Uint8Array[] = [];
  for (const request of requests) signed.push(await signOne(privateKey, request));
  return signed;
}

async function signOne(privateKey: string, request: SigningRequest): Promise<Uint8Array> {
  if ("path" in request) {
    const [{ readPrivateKey }, { signFile }] = await Promise.all([import("openpgp"), import("./sign-file.ts")]);
    const file = Bun.file(request.path).slice(request.start ?? 0);
    return signFile(await readPrivateKey({ armoredKey: privateKey }), file, new Date());
  }
  const { data, form } = request;
  return form === "rsa-sha1" ? signRaw("sha1", data, privateKey) : signOpenpgp(privateKey, data, form);
}

async function signOpenpgp(
  armoredKey: string,
  data: Uint8Array,
  form: Exclude<SigningOfBytes["form"], "rsa-sha1">,
): Promise<Uint8Array> {
  const openpgp = await import("openpgp");
  // Older readers do not know salt notations in signatures.
  openpgp.config.nonDeterministicSignaturesViaNotation = false;
  const signingKeys = await openpgp.readPrivateKey({ armoredKey });
  if (form === "cleartext") {
    const message = await openpgp.createCleartextMessage({ text: new TextDecoder().decode(data) });
    return new TextEncoder().encode(await openpgp.sign({ message, signingKeys }));
  }
  const message = await openpgp.createMessage({ binary: data });
  if (form === "binary") return openpgp.sign({ message, signingKeys, detached: true, format: "binary" });
  return new TextEncoder().encode(await openpgp.sign({ message, signingKeys, detached: true }));
}
