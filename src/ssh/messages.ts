import type { KeyOffer } from "../keys/ssh/offer.ts";

/**
 * What the main thread and the thread that speaks SSH say to each other, by the number of a connection and, in it, of a
 * channel. Bytes and facts cross; who came in, what they may and how long they stay is the main thread's to say.
 */

/** What was sent has been done with. */
export interface Taken {
  readonly bytes: number;
  /** What they lay in, to be filled again. */
  readonly buffer?: ArrayBuffer;
}

/** A command that a client runs: what the main thread says of it. */
export type ToChannel =
  | { readonly kind: "output"; readonly chunk: Uint8Array<ArrayBuffer> }
  /** For the person who typed the command. */
  | { readonly kind: "words"; readonly text: string }
  /** So many bytes of the input have been read. */
  | { readonly kind: "taken"; readonly bytes: number }
  /** It is over. @param drains what the client is sending is read to its end first, so that it gets to read why */
  | { readonly kind: "finish"; readonly status: number; readonly drains: boolean };

export type FromChannel =
  /** Nothing is a shell. */
  | { readonly kind: "opened"; readonly command: string | undefined; readonly gitProtocol: string | undefined }
  | { readonly kind: "input"; readonly chunk: Uint8Array<ArrayBuffer> }
  /** @param isWhole the client said so; otherwise it broke off */
  | { readonly kind: "ended"; readonly isWhole: boolean }
  /** So many bytes of the output have gone to the client. */
  | ({ readonly kind: "taken" } & Taken)
  | { readonly kind: "closed" };

export type ToClient =
  /** What came over the socket. */
  | { readonly kind: "received"; readonly chunk: Uint8Array<ArrayBuffer> }
  /** So many bytes of what was for the socket have gone out. */
  | ({ readonly kind: "taken" } & Taken)
  | { readonly kind: "closed" }
  /** Whether the key offered last is good. */
  | { readonly kind: "decided"; readonly isGood: boolean }
  | { readonly kind: "channel"; readonly channel: number; readonly said: ToChannel };

export type FromClient =
  /** What goes to the socket. */
  | { readonly kind: "send"; readonly chunk: Uint8Array<ArrayBuffer> }
  /** So many bytes of what came have been read. */
  | { readonly kind: "taken"; readonly bytes: number }
  /** Client and server agreed on keys. */
  | { readonly kind: "agreed" }
  /** Someone asks to be let in: with a key, or in a way that there is not. */
  | { readonly kind: "offered"; readonly user: string; readonly offer: KeyOffer | undefined }
  /** Nothing more goes to the socket. */
  | { readonly kind: "end" }
  /** The client does not keep to the protocol. */
  | { readonly kind: "drop" }
  | { readonly kind: "channel"; readonly channel: number; readonly said: FromChannel };

export type ToThread =
  /** The first message. */
  | { readonly kind: "begin"; readonly hostKeys: readonly string[] }
  | { readonly kind: "open"; readonly connection: number }
  | { readonly kind: "client"; readonly connection: number; readonly said: ToClient }
  /** No client gets another session. */
  | { readonly kind: "stop" };

export interface FromThread {
  readonly connection: number;
  readonly said: FromClient;
}

/** What of a message is handed over: whoever sends bytes to the other thread has no more of them. */
export function handedOver(said: ToClient | FromClient | ToChannel | FromChannel): Transferable[] {
  if (said.kind === "channel") return handedOver(said.said);
  if ("chunk" in said) return [said.chunk.buffer];
  return "buffer" in said && said.buffer ? [said.buffer] : [];
}
