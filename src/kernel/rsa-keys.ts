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
