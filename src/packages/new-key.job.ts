import { newRsaPems } from "../kernel/rsa-keys.ts";

const RSA_BITS = 4096;

export type NewKeyInput =
  | { readonly kind: "rsa" }
  | { readonly kind: "openpgp"; readonly identity: string; readonly now: number };

/** Generates a key pair for a registry's signatures: armoured, or PEM (PKIX and PKCS#1). */
export async function run(input: NewKeyInput): Promise<{ readonly publicKey: string; readonly privateKey: string }> {
  if (input.kind === "rsa") return newRsaPems(RSA_BITS, "pkcs1");
  const { generateKey } = await import("openpgp");
  return generateKey({
    type: "rsa",
    rsaBits: RSA_BITS,
    userIDs: [{ name: input.identity }],
    // The key is only for signing.
    subkeys: [],
    date: new Date(input.now),
    format: "armored",
  });
}
