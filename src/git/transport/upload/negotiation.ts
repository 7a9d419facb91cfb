import type { Oid } from "../../objects/types.ts";
import type { PacketList } from "../../wire/pktline.ts";
import type { Common } from "./common.ts";
import type { V0Fetch } from "./request.ts";

/** The state of a negotiation that spans several requests. */
interface Negotiation {
  /** The last common id. */
  last: Oid | undefined;
  sentReady: boolean;
  /** Whether the client has something the server does not. */
  missed: boolean;
}

/** The state carried between two requests of one connection. */
export interface NegotiationState extends Readonly<Negotiation> {
  /** The common ids. */
  readonly oids: readonly Oid[];
  /** Whether only the pack is left to send. */
  readonly isAgreed: boolean;
}

export function newNegotiation(): Negotiation {
  return { last: undefined, sentReady: false, missed: false };
}

/**
 * The negotiation of version 0 (gitprotocol-pack, "Packfile Negotiation") in its three ack modes. Returns whether a
 * pack follows; if not, the client sends another request.
 * @param state progress so far; updated
 */
export function negotiateV0(fetch: V0Fetch, common: Common, out: PacketList, state: Negotiation): boolean {
  const { ackMode } = fetch;
  const ready = (oid: Oid) => {
    state.sentReady ||= ackMode === "multi_ack_detailed";
    out.line(`ACK ${oid} ${ackMode === "multi_ack_detailed" ? "ready" : "continue"}\n`);
  };
  for (const step of fetch.rounds) {
    const { last } = state;
    if (step === "done") {
      if (last === undefined) out.line("NAK\n");
      else if (ackMode !== "plain") out.line(`ACK ${last}\n`);
      return true;
    }
    if (step === "flush") {
      if (ackMode === "multi_ack_detailed" && last !== undefined && !state.missed && common.isEnough()) ready(last);
      if (last === undefined || ackMode !== "plain") out.line("NAK\n");
      const isAgreed = fetch.noDone && state.sentReady && last !== undefined;
      if (isAgreed) out.line(`ACK ${last}\n`);
      // Anything further arrives in another request.
      return isAgreed;
    }
    if (common.add(step)) {
      state.last = step;
      if (ackMode === "multi_ack_detailed") out.line(`ACK ${step} common\n`);
      else if (ackMode === "multi_ack") out.line(`ACK ${step} continue\n`);
      else if (last === undefined) out.line(`ACK ${step}\n`);
    } else {
      state.missed = true;
      if (ackMode !== "plain" && common.isEnough()) ready(step);
    }
  }
  return false;
}
