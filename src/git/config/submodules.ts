/** Which submodule names and URLs can be trusted: `.gitmodules` comes from strangers (object-checks/gitmodules.ts). */

/** A name becomes a directory below `.git/modules`: it must not be empty or contain `..`. */
export function isSubmoduleName(name: string): boolean {
  return name !== "" && !name.split(/[/\\]/).includes("..");
}

export function isSubmoduleUrl(url: string): boolean {
  if (url.startsWith("-")) return false;
  if (/^\.\.?[/\\]/.test(url) || url.startsWith("git://")) {
    if (urlDecoded(url).includes("\n")) return false;
    // Climbing above the host would put the next component in its place.
    const climb = /^(?:\.\.?[/\\])*/.exec(url)?.[0] ?? "";
    return !(climb.includes("..") && /^[:/]/.test(url.slice(climb.length)));
  }
  const remote = /^(?:https?|ftps?)::(.*)$/s.exec(url)?.[1] ?? (/^(?:https?|ftps?):\/\//.test(url) ? url : undefined);
  return remote === undefined || isCredentialUrl(remote);
}

/** Splits a URL as git's credential code does: it must have a host, and no part may contain a newline. */
function isCredentialUrl(url: string): boolean {
  const schemeEnd = url.indexOf("://");
  if (schemeEnd <= 0) return false;
  const rest = url.slice(schemeEnd + 3);
  const slash = rest.search(/[/?#]/);
  const hostEnd = slash < 0 ? rest.length : slash;
  const at = rest.indexOf("@");
  const isUser = at >= 0 && hostEnd > at;
  const host = isUser ? rest.slice(at + 1, hostEnd) : rest.slice(0, hostEnd);
  const path = rest.slice(hostEnd).replace(/^\/+/, "");
  const user = isUser ? rest.slice(0, at) : "";
  const colon = user.indexOf(":");
  const people = colon < 0 ? [user] : [user.slice(0, colon), user.slice(colon + 1)];
  const parts = [url.slice(0, schemeEnd), ...[...people, host, path].map(urlDecoded)];
  return urlDecoded(host) !== "" && parts.every((part) => !part.includes("\n"));
}

/** Decodes percent escapes as git does: not before the first colon, and never to a NUL. */
function urlDecoded(text: string): string {
  const colon = Math.max(0, text.indexOf(":"));
  const decoded = text
    .slice(colon)
    .replace(/%([0-9a-fA-F]{2})/g, (all, digits: string) =>
      digits === "00" ? all : String.fromCharCode(Number.parseInt(digits, 16)),
    );
  return text.slice(0, colon) + decoded;
}
