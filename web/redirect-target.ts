/**
 * A path of this site to redirect to, or undefined for anything else (security rule H1): one leading slash, no
 * backslash or control character (also percent-encoded at its start), and still on this site after parsing.
 */
export function localPath(target: string | undefined | null): string | undefined {
  if (!target || target.length > 2000 || !target.startsWith("/")) return undefined;
  if (/[\\\u0000-\u001f\u007f]/.test(target)) return undefined;
  let decoded = target;
  // Some proxies and browsers decode once more than we do.
  for (let round = 0; round < 3; round++) {
    if (/^\/[/\\\u0000-\u0020]/.test(decoded)) return undefined;
    try {
      decoded = decodeURIComponent(decoded);
    } catch {
      break;
    }
  }
  const base = "http://site.invalid";
  if (!URL.canParse(target, base)) return undefined;
  return new URL(target, base).origin === base ? target : undefined;
}
