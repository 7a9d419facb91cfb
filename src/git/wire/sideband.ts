import { MAX_PACKET_BYTES, writePacketLength } from "./pktline.ts";

/** Side-band multiplexing (gitprotocol-pack, "Packfile Data"): the first payload byte of a packet names the band. */

export const BAND_DATA = 1;
export const BAND_PROGRESS = 2;
export const BAND_FATAL = 3;

/** The two sizes that clients can request; undefined: no multiplexing, just the pack. */
export type SideBand = "side-band" | "side-band-64k";

/** The packet's length and its band. */
export const BAND_HEADER_BYTES = 5;

/** Payload bytes per packet, without the band byte. */
export function bandPayloadBytes(kind: SideBand): number {
  return (kind === "side-band-64k" ? MAX_PACKET_BYTES : 1000) - BAND_HEADER_BYTES;
}

/** Writes the header of a packet of one band; its payload follows the header. */
export function writeBandHeader(packet: Uint8Array, band: number): void {
  writePacketLength(packet, 0, packet.byteLength);
  packet[BAND_HEADER_BYTES - 1] = band;
}

/** Splits bytes into packets of one band. */
export function framed(band: number, bytes: Uint8Array, kind: SideBand): Uint8Array<ArrayBuffer> {
  const max = bandPayloadBytes(kind);
  const packets = Math.ceil(bytes.byteLength / max);
  const out = new Uint8Array(bytes.byteLength + packets * BAND_HEADER_BYTES);
  let at = 0;
  for (let from = 0; from < bytes.byteLength; from += max) {
    const part = bytes.subarray(from, from + max);
    const packet = out.subarray(at, at + BAND_HEADER_BYTES + part.byteLength);
    writeBandHeader(packet, band);
    packet.set(part, BAND_HEADER_BYTES);
    at += packet.byteLength;
  }
  return out;
}

/**
 * Text for a human on the progress or fatal band. Control characters (C0 except tab, line feed and carriage return;
 * DEL; C1) are dropped: the text may contain names chosen by someone else, and is shown on a terminal.
 */
export function framedText(band: number, text: string, kind: SideBand): Uint8Array<ArrayBuffer> {
  return framed(band, Buffer.from(text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, "")), kind);
}

/** A packet of the data band without data: keeps a quiet connection alive and is ignored by the client. */
export function keepalivePacket(): Uint8Array<ArrayBuffer> {
  return new Uint8Array([0x30, 0x30, 0x30, 0x35, BAND_DATA]);
}
