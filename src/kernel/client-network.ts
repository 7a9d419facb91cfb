/**
 * The key under which clients are counted and limited: an IPv4 address itself, or an IPv6 address's /64, which
 * belongs to one household.
 */
export function clientNetwork(address: string): string {
  if (!address.includes(":")) return address;
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [head = "", tail] = address.toLowerCase().split("%")[0]!.split("::");
  const first = head === "" ? [] : head.split(":");
  const last = !tail ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const groups = [...first, ...Array.from({ length: zeros }, () => "0"), ...last];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0{1,3}(?=.)/, ""))
    .join(":")}::/64`;
}
