/** SSH's binary encoding (RFC 4251, section 5): 32- and 64-bit numbers and length-prefixed strings. */

/** The input is not in the expected format. */
export class Malformed extends Error {
  override name = "Malformed";
}

/** Reads values in sequence; throws on malformed input. */
export class WireReader {
  private at = 0;

  constructor(private readonly data: Uint8Array) {}

  /** Whether everything was read. */
  get isDone(): boolean {
    return this.at === this.data.length;
  }

  /** @throws Malformed too short */
  bytes(count: number): Uint8Array {
    if (count > this.data.length - this.at) throw new Malformed("the data ends too early");
    const start = this.at;
    this.at += count;
    return this.data.subarray(start, this.at);
  }

  /** @throws Malformed */
  uint32(): number {
    const [a = 0, b = 0, c = 0, d = 0] = this.bytes(4);
    return a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d;
  }

  /** A 64-bit number, capped at the largest safe integer. @throws Malformed */
  uint64(): number {
    const high = this.uint32();
    const low = this.uint32();
    return Math.min(high * 2 ** 32 + low, Number.MAX_SAFE_INTEGER);
  }

  /** @throws Malformed */
  string(): Uint8Array {
    return this.bytes(this.uint32());
  }

  /** A string of UTF-8. @throws Malformed */
  text(): string {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(this.string());
    } catch (error) {
      if (error instanceof Malformed) throw error;
      throw new Malformed("a text is not UTF-8");
    }
  }

  /** A positive number (mpint), without leading zeroes. @throws Malformed a negative one */
  number(): Uint8Array {
    const data = this.string();
    if ((data[0] ?? 0) & 0x80) throw new Malformed("a number is negative");
    let zeroes = 0;
    while (zeroes < data.length && data[zeroes] === 0) zeroes++;
    return data.subarray(zeroes);
  }

  /** @throws Malformed something is left */
  end(): void {
    if (!this.isDone) throw new Malformed("there is more data than expected");
  }
}

/** A length-prefixed string. */
export function wireString(data: Uint8Array | string): Uint8Array {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** A positive number as mpint. @param bytes without leading zeroes */
export function wireNumber(bytes: Uint8Array): Uint8Array {
  return wireString((bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

/** The bit length of a number. @param bytes without leading zeroes */
export function bitsOf(bytes: Uint8Array): number {
  return bytes.length === 0 ? 0 : bytes.length * 8 - (Math.clz32(bytes[0] ?? 0) - 24);
}
