import type { PacketReader } from "../wire/pktline.ts";
import { BAND_DATA, BAND_FATAL, BAND_PROGRESS } from "../wire/sideband.ts";
import { RemoteFailed, wordsOfRemote } from "./errors.ts";

/** Receives the remote's messages for the user, line by line, without control characters. */
export type OnRemoteText = (line: string) => void;

/**
 * The data band of a multiplexed response, up to its flush; text on the progress band goes to `onText`.
 * @throws RemoteFailed with the remote's message on the fatal band, or if the response is truncated
 */
export async function* dataBand(
  reader: PacketReader,
  onText: OnRemoteText = () => {},
): AsyncGenerator<Uint8Array, void, undefined> {
  const lines = new TextLines(onText);
  for (;;) {
    const packet = await reader.next();
    if (packet?.kind === "flush") return;
    if (packet?.kind !== "data" || packet.data.byteLength === 0)
      throw new RemoteFailed("broken", packet ? "an empty packet" : "the answer breaks off");
    const content = packet.data.subarray(1);
    switch (packet.data[0]) {
      case BAND_DATA:
        if (content.byteLength > 0) yield content;
        break;
      case BAND_PROGRESS:
        lines.take(content);
        break;
      case BAND_FATAL:
        throw new RemoteFailed("refused", wordsOfRemote(content));
      default: {
        // Before the bands begin, a server may still refuse.
        const text = wordsOfRemote(packet.data);
        if (text.startsWith("ERR ")) throw new RemoteFailed("refused", text.slice(4));
        throw new RemoteFailed("broken", "a packet of no known band");
      }
    }
  }
}

/** Lines end with a line feed or, for counters, a carriage return. */
class TextLines {
  private rest = "";

  constructor(private readonly onLine: OnRemoteText) {}

  take(bytes: Uint8Array): void {
    const parts = (this.rest + Buffer.from(bytes).toString("utf8")).split(/[\r\n]/);
    // Limits how much is buffered if a line never ends.
    this.rest = (parts.pop() ?? "").slice(0, 1_000);
    for (const part of parts) {
      const line = wordsOfRemote(Buffer.from(part));
      if (line !== "") this.onLine(line);
    }
  }
}
