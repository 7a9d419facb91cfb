import { bzip2 } from "./bzip2.ts";

/** Compresses a text with bzip2. */
export function run({ text }: { readonly text: string }): Uint8Array<ArrayBuffer> {
  return bzip2(new TextEncoder().encode(text));
}
