/** A signature, the data it claims to cover, and the key it claims to be made with. */
export interface GpgCheck {
  readonly signature: string;
  readonly data: Uint8Array;
  /** A whole key in binary form. */
  readonly block: Uint8Array;
}

export type GpgVerdict = "good" | "bad" | "unsupported";

/** Checks OpenPGP signatures, independently of each other. */
export async function run({ checks }: { checks: readonly GpgCheck[] }): Promise<GpgVerdict[]> {
  const openpgp = await import("openpgp");
  const verdicts: GpgVerdict[] = [];
  for (const { signature, data, block } of checks) {
    try {
      const [verification] = (
        await openpgp.verify({
          message: await openpgp.createMessage({ binary: data }),
          signature: await openpgp.readSignature({ armoredSignature: signature }),
          verificationKeys: await openpgp.readKey({ binaryKey: block }),
        })
      ).signatures;
      verdicts.push((await verification?.verified) ? "good" : "bad");
    } catch (error) {
      const isInsecure = error instanceof Error && /[Ii]nsecure|hash algorithm/.test(error.message);
      verdicts.push(isInsecure ? "unsupported" : "bad");
    }
  }
  return verdicts;
}
