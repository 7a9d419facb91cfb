/**
 * Reads standard base64 with padding; line ends are passed over, as the references do.
 * @returns the bytes, or the place of the first character that is wrong
 */
export function decodeBase64(text: string): Uint8Array | { readonly badAt: number } {
  const clean = /[\r\n]/.test(text) ? text.replace(/[\r\n]/g, "") : text;
  const bad = /[^A-Za-z0-9+/]/.exec(clean.replace(/={1,2}$/, ""));
  if (bad || clean.length % 4 !== 0) return { badAt: bad?.index ?? clean.length };
  return Buffer.from(clean, "base64");
}
