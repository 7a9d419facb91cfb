/** The package has no types. These are the parts its own `decode` is built from, block by block. */
declare module "seek-bzip" {
  interface ByteSource {
    readByte(): number;
    read(buffer: Uint8Array, at: number, length: number): number;
  }
  interface ByteSink {
    writeByte(byte: number): void;
  }
  class Bunzip {
    constructor(input: ByteSource, output: ByteSink);
    readonly reader: { read(bits: number): number };
    readonly streamCRC: number;
    /** Reads a block header. @returns false at the end of the stream */
    _init_block(): boolean;
    /** Decodes the current block. */
    _read_bunzip(): void;
    /** Continues with the next stream. */
    _start_bunzip(input: ByteSource, output: ByteSink): void;
  }
  // biome-ignore lint/style/noDefaultExport: the library's own form
  export default Bunzip;
}
