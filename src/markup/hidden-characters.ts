/** Characters that make a text read differently than it runs (security rule G13, "trojan source"). */
const HIDDEN = /[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u2060\u00ad\u{e0001}-\u{e007f}]/u;

/** Whether a text holds bidirectional overrides or invisible characters. */
export function hasHiddenCharacters(text: string): boolean {
  return HIDDEN.test(text);
}
