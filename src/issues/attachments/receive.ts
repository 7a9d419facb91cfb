import type { BlobService } from "../../blobs/service.ts";
import type { StoredBlob } from "../../blobs/types.ts";
import { TooLarge } from "../../kernel/errors.ts";
import { type AttachmentRules, checkName, requireAllowed, requireHope } from "./rules.ts";

/** A file on its way in: its name, and its bytes in place. */
export interface Upload {
  readonly name: string;
  readonly stored: StoredBlob;
}

/**
 * Takes in the bytes of a file that someone attaches; dispose of it when what refers to it is true.
 * @param given the sender's name for it
 * @throws ValidationFailed a name, an ending or a type that is not allowed; TooLarge
 */
export async function receiveFile(
  { blobs, rules }: { readonly blobs: BlobService; readonly rules: AttachmentRules },
  bytes: AsyncIterable<Uint8Array>,
  given: string,
): Promise<Upload & Disposable> {
  const name = checkName(given);
  requireHope(rules, name);
  const stored = await blobs.receive(bytes, { maxBytes: rules.maxBytes }).catch((error) => {
    throw error instanceof TooLarge ? tooLarge(rules) : error;
  });
  try {
    // A byte has no type (contract issues.md 12.3).
    requireAllowed(rules, name, stored.sizeBytes > 1 ? stored.mediaType : undefined);
  } catch (error) {
    stored[Symbol.dispose]();
    throw error;
  }
  return { name, stored, [Symbol.dispose]: () => stored[Symbol.dispose]() };
}

export function tooLarge({ maxBytes }: AttachmentRules): TooLarge {
  return new TooLarge("attachment.too-large", { params: { maxBytes } });
}
