/** Comes without types. The parts that its own `decode` is made of, block by block. */
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
    /** Reads a block. @returns false: there is no more of this stream */
    _init_block(): boolean;
    /** Writes the block that was read. */
    _read_bunzip(): void;
    /** Goes on with the stream that follows. */
    _start_bunzip(input: ByteSource, output: ByteSink): void;
  }
  // biome-ignore lint/style/noDefaultExport: the library's own form
  export default Bunzip;
}
