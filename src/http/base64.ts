/**
 * Decodes standard base64 with padding; line breaks are ignored, as in the reference implementations.
 * @returns the bytes, or the index of the first invalid character
 */
export function decodeBase64(text: string): Uint8Array | { readonly badAt: number } {
  try {
    // The native decoder takes a tenth of the time a pattern takes, but skips whitespace, which is invalid here.
    if (!/[ \t\f]/.test(text)) return Uint8Array.fromBase64(text, { lastChunkHandling: "strict" });
  } catch {
    // Reported below.
  }
  return { badAt: firstBadCharacter(text) };
}

/** Returns the index at which the text stops being base64, or its length if it is only truncated. */
function firstBadCharacter(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isLetter = (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
    const isOther = (code >= 0x2f && code <= 0x39) || code === 0x2b || code === 0x0a || code === 0x0d;
    if (!isLetter && !isOther && !(code === 0x3d && at >= text.length - 2)) return at;
  }
  return text.length;
}
