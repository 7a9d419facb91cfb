import { MAX_AVATAR_BYTES } from "../avatars/service.ts";
import type { OutboundClient } from "../outbound/client.ts";
import { OutboundFailed } from "../outbound/errors.ts";

/**
 * Fetches the picture a source names; undefined if there is none. Whether it is a valid picture is checked on
 * rendering.
 */
export async function pictureFrom(outbound: OutboundClient, url: string): Promise<Uint8Array | undefined> {
  try {
    const answer = await outbound.request({ url, redirects: 2, maxBytes: MAX_AVATAR_BYTES });
    if (answer.status === 200) return new Uint8Array(await new Response(answer.body).arrayBuffer());
    await answer.body.cancel();
  } catch (error) {
    if (!(error instanceof OutboundFailed)) throw error;
  }
  return undefined;
}
