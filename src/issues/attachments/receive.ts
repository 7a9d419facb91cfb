import type { BlobService } from "../../blobs/service.ts";
import type { StoredBlob } from "../../blobs/types.ts";
import { TooLarge } from "../../kernel/errors.ts";
import { type AttachmentRules, checkName, requireAllowed, requireHope } from "./rules.ts";

/** A received file: its name and stored bytes, not yet attached. */
export interface Upload {
  readonly name: string;
  readonly stored: StoredBlob;
}

/**
 * Receives the bytes of an attachment; dispose of the result once whatever refers to it is committed.
 * @param given the sender's file name
 * @throws ValidationFailed the name, extension or type is not allowed; TooLarge
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
    // A single byte has no type (contract issues.md 12.3).
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
