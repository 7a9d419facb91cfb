/** The hash that a request declares for its body as sent. */
export interface BodyDigest {
  readonly algorithm: "sha256" | "sha512";
  readonly hash: Uint8Array;
}

const algorithms = { "sha-256": "sha256", "sha-512": "sha512" } as const;
const lengths = { sha256: 32, sha512: 64 } as const;

const MAX_CHARACTERS = 1_024;

/**
 * Parses `Digest: SHA-256=…` (RFC 3230) and `Content-Digest: sha-256=:…:` (RFC 9530); unknown algorithms are skipped. A
 * malformed hash matches no body.
 */
export function bodyDigests(header: (name: string) => string | null): BodyDigest[] {
  return ["digest", "content-digest"].flatMap((name) => {
    const value = header(name) ?? "";
    if (value.length > MAX_CHARACTERS) return [];
    return value.split(",").flatMap((part) => {
      const [, word = "", base64 = ""] = /^\s*([A-Za-z0-9-]{1,20})=:?([A-Za-z0-9+/]*={0,2}):?\s*$/.exec(part) ?? [];
      const algorithm = algorithms[word.toLowerCase() as keyof typeof algorithms];
      return algorithm === undefined ? [] : [{ algorithm, hash: Buffer.from(base64, "base64") }];
    });
  });
}

/** Checks a body against its declared digests, hashing it as it arrives. */
export class DigestCheck {
  private readonly hashers: readonly { readonly hasher: Bun.CryptoHasher; readonly expected: BodyDigest }[];

  constructor(expected: readonly BodyDigest[]) {
    this.hashers = expected.map((each) => ({ hasher: new Bun.CryptoHasher(each.algorithm), expected: each }));
  }

  update(bytes: Uint8Array): void {
    for (const { hasher } of this.hashers) hasher.update(bytes);
  }

  /** Call once, at the end. */
  get fits(): boolean {
    return this.hashers.every(({ hasher, expected: { algorithm, hash } }) => {
      return hash.length === lengths[algorithm] && Buffer.compare(hasher.digest(), hash) === 0;
    });
  }
}
