import type { KeyOffer } from "../keys/ssh/offer.ts";

/**
 * Messages between the main thread and the SSH thread, by the id of a connection and, within it, of a channel. Bytes
 * and facts cross; authentication, permissions and timeouts are decided by the main thread.
 */

/** Acknowledges consumed bytes. */
export interface Taken {
  readonly bytes: number;
  /** Their buffer, for reuse. */
  readonly buffer?: ArrayBuffer;
}

/** Messages from the main thread for a running command. */
export type ToChannel =
  | { readonly kind: "output"; readonly chunk: Uint8Array<ArrayBuffer> }
  /** For the person who typed the command. */
  | { readonly kind: "words"; readonly text: string }
  /** That many bytes of the input have been read. */
  | { readonly kind: "taken"; readonly bytes: number }
  /** The command ended. @param drains reads the client's remaining input first, so that it gets to read why */
  | { readonly kind: "finish"; readonly status: number; readonly drains: boolean };

export type FromChannel =
  /** No command means a shell. */
  | { readonly kind: "opened"; readonly command: string | undefined; readonly gitProtocol: string | undefined }
  | { readonly kind: "input"; readonly chunk: Uint8Array<ArrayBuffer> }
  /** @param isWhole the client ended its input; otherwise it was cut off */
  | { readonly kind: "ended"; readonly isWhole: boolean }
  /** That many bytes of the output have been sent to the client. */
  | ({ readonly kind: "taken" } & Taken)
  | { readonly kind: "closed" };

export type ToClient =
  /** Bytes received from the socket. */
  | { readonly kind: "received"; readonly chunk: Uint8Array<ArrayBuffer> }
  /** That many bytes have been written to the socket. */
  | ({ readonly kind: "taken" } & Taken)
  | { readonly kind: "closed" }
  /** Whether the last offered key is accepted. */
  | { readonly kind: "decided"; readonly isGood: boolean }
  | { readonly kind: "channel"; readonly channel: number; readonly said: ToChannel };

export type FromClient =
  /** Bytes for the socket. */
  | { readonly kind: "send"; readonly chunk: Uint8Array<ArrayBuffer> }
  /** That many received bytes have been read. */
  | { readonly kind: "taken"; readonly bytes: number }
  /** The key exchange is complete. */
  | { readonly kind: "agreed" }
  /** The client asks to authenticate: with a key, or by an unsupported method. */
  | { readonly kind: "offered"; readonly user: string; readonly offer: KeyOffer | undefined }
  /** Nothing more will be sent to the socket. */
  | { readonly kind: "end" }
  /** The client violates the protocol. */
  | { readonly kind: "drop" }
  | { readonly kind: "channel"; readonly channel: number; readonly said: FromChannel };

export type ToThread =
  /** The first message. */
  | { readonly kind: "begin"; readonly hostKeys: readonly string[] }
  | { readonly kind: "open"; readonly connection: number }
  | { readonly kind: "client"; readonly connection: number; readonly said: ToClient }
  /** Accept no further sessions. */
  | { readonly kind: "stop" };

export interface FromThread {
  readonly connection: number;
  readonly said: FromClient;
}

/** The buffers a message transfers: the sender can no longer use them. */
export function handedOver(said: ToClient | FromClient | ToChannel | FromChannel): Transferable[] {
  if (said.kind === "channel") return handedOver(said.said);
  if ("chunk" in said) return [said.chunk.buffer];
  return "buffer" in said && said.buffer ? [said.buffer] : [];
}
