import { bzip2 } from "./bzip2.ts";

/** A text as bzip2 packs it. */
export function run({ text }: { readonly text: string }): Uint8Array<ArrayBuffer> {
  return bzip2(new TextEncoder().encode(text));
}
