import type { CustomFetch } from "openid-client";
import type { OutboundClient } from "../../outbound/client.ts";

/** Maximum size of a provider's response. */
const MAX_BYTES = 512 * 1024;
const TIMEOUT_MS = 15_000;

/** Routes every request of the library through the outbound client. */
export function outboundFetch(outbound: OutboundClient): CustomFetch {
  return async (url, { body, headers, method, signal }) => {
    const { authorization, ...others } = headers;
    const answer = await outbound.request({
      url,
      method,
      headers: others,
      ...(authorization === undefined ? {} : { credentials: { authorization } }),
      ...(body === undefined || body === null ? {} : { body: bytesOf(body) }),
      ...(signal ? { signal } : {}),
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
    });
    const hasBody = ![101, 204, 205, 304].includes(answer.status);
    if (!hasBody) await answer.body.cancel();
    return new Response(hasBody ? answer.body : null, { status: answer.status, headers: answer.headers });
  };
}

function bytesOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  if (body instanceof URLSearchParams || typeof body === "string") return new TextEncoder().encode(String(body));
  throw new Error("the library sent a body of another kind");
}
