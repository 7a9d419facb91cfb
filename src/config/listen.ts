/** Splits `HOST:PORT`; undefined if malformed. */
export function parseListen(value: string): { hostname: string; port: number } | undefined {
  const match = /^(\[[0-9a-fA-F:]+\]|[^:[\]\s]+):(\d{1,5})$/.exec(value);
  if (!match?.[1] || !match[2] || Number(match[2]) > 65535) return undefined;
  return { hostname: match[1].replace(/^\[|\]$/g, ""), port: Number(match[2]) };
}
