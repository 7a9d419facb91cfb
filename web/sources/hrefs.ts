/** URL that starts signing in with a provider. @param target where to go afterwards; a validated path of this site */
export function providerHref(name: string, target?: string): string {
  const query = target ? `?redirect_to=${encodeURIComponent(target)}` : "";
  return `/user/oauth2/${encodeURIComponent(name)}${query}`;
}

/** The callback URL for a provider; built from the configured root, never from a request (security rule H10). */
export function callbackAddress(rootUrl: string, name: string): URL {
  return new URL(`${providerHref(name).slice(1)}/callback`, rootUrl);
}
