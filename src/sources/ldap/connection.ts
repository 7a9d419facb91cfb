import type { Client } from "ldapts";
import { Failure } from "../../kernel/errors.ts";
import type { OutboundClient } from "../../outbound/client.ts";
import type { LdapSource } from "../types.ts";

const CONNECT_MS = 10_000;
const ANSWER_MS = 20_000;

/**
 * A connection to a directory, closed after the work, which starts over with the next address if one does not answer.
 * @throws OutboundFailed the network policy; what the library throws
 */
export async function withDirectory<T>(
  outbound: OutboundClient,
  { settings }: LdapSource,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const host = settings.host.replace(/^\[|\]$/g, "");
  const [addresses, { Client }, { isIP }] = await Promise.all([
    outbound.addressesOf(host),
    import("ldapts"),
    import("node:net"),
  ]);
  const tls = {
    rejectUnauthorized: !settings.skipsVerification,
    // Connects to an address the network policy checked; the certificate is for the name.
    ...(isIP(host) === 0 ? { servername: host } : { host }),
  };
  const scheme = settings.security === "ldaps" ? "ldaps" : "ldap";
  let problem: unknown;
  for (const address of addresses) {
    const client = new Client({
      url: `${scheme}://${isIP(address) === 6 ? `[${address}]` : address}:${settings.port}`,
      connectTimeout: CONNECT_MS,
      timeout: ANSWER_MS,
      strictDN: false,
      ...(scheme === "ldaps" ? { tlsOptions: tls } : {}),
    });
    try {
      if (settings.security === "starttls") await client.startTLS(tls);
      return await work(client);
    } catch (error) {
      if (isAnswer(error) || error instanceof Failure) throw error;
      problem = error;
    } finally {
      await client.unbind().catch(() => {});
    }
  }
  throw problem;
}

/** Whether the directory answered with a refusal, rather than failed. */
export function isAnswer(error: unknown): error is Error & { readonly code: number } {
  return error instanceof Error && "code" in error && typeof error.code === "number";
}
