/** Query values as Gitea's clients write them (contract identity.md 1.1). */

/** undefined when absent or empty. */
export function flag(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  return /^(1|t|true|on)$/i.test(text);
}

export function number(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  return text !== null && /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
}

export function text(query: URLSearchParams, name: string): string {
  return query.get(name) ?? "";
}
