import type { KeyObject } from "node:crypto";

export interface RsaKeys {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** Generates a key pair. The runtime does it on a separate thread; WebCrypto would block the calling one. */
export function newRsaKeys(modulusLength: number): Promise<RsaKeys> {
  const { generateKeyPair } = process.getBuiltinModule("node:crypto");
  return new Promise((resolve, reject) => {
    generateKeyPair("rsa", { modulusLength }, (error, publicKey, privateKey) => {
      if (error) reject(error);
      else resolve({ publicKey, privateKey });
    });
  });
}

/** Generates a key pair as PEM, the public key in PKIX form. */
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
