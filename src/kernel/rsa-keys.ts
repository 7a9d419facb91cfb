import type { KeyObject } from "node:crypto";

export interface RsaKeys {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** A new pair of keys. The runtime makes it on a thread of its own; WebCrypto would make it on the caller's. */
export function newRsaKeys(modulusLength: number): Promise<RsaKeys> {
  const { generateKeyPair } = process.getBuiltinModule("node:crypto");
  return new Promise((resolve, reject) => {
    generateKeyPair("rsa", { modulusLength }, (error, publicKey, privateKey) => {
      if (error) reject(error);
      else resolve({ publicKey, privateKey });
    });
  });
}

/** The same as PEM, the public one as PKIX. */
export async function newRsaPems(
  modulusLength: number,
  privateType: "pkcs1" | "pkcs8",
): Promise<{ readonly publicKey: string; readonly privateKey: string }> {
  const { privateKey, publicKey } = await newRsaKeys(modulusLength);
  return {
    publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
    privateKey: privateKey.export({ type: privateType, format: "pem" }).toString(),
  };
}
