/** The address in an identity, in lower case: `Ada <ada@example.org>`, or the address alone. */
export function addressOf(identity: string): string | undefined {
  if (identity.length > 1_024) return undefined;
  const inner = identity.endsWith(">") ? identity.slice(identity.lastIndexOf("<") + 1, -1) : identity;
  return /^[^\s<>@]{1,64}@[^\s<>@]{1,255}$/.test(inner) ? inner.toLowerCase() : undefined;
}
