import libraryPath from "node-liblzma/wasm/liblzma.wasm" with { type: "file" };

/** xz by liblzma, compiled to WebAssembly. Its calling conventions are documented in `lzma/base.h`. */

const PIECE_BYTES = 64 << 10;
/** Compresses text as well as higher presets, which take more memory. */
const PRESET = 3;
/** For decompression; `xz -9` takes 65 MiB. */
const MAX_MEMORY_BYTES = 128n << 20n;
/** Accepts concatenated streams as one content. */
const CONCATENATED = 8;

/** Its own loader looks for a file next to it, which does not exist in an executable. */
async function liblzma() {
  const [library, { default: instantiate }] = await Promise.all([
    import("node-liblzma/wasm"),
    import("node-liblzma/wasm/liblzma.js"),
  ]);
  const module = await library.initModule(async () =>
    instantiate({ wasmBinary: await Bun.file(libraryPath).arrayBuffer() }),
  );
  return { library, module };
}
type Liblzma = Awaited<ReturnType<typeof liblzma>>;
type LzmaStream = InstanceType<Liblzma["library"]["WasmLzmaStream"]>;

/** @throws Error (while iterating) if it is no xz, is cut short or damaged, or takes too much memory */
export async function* unxzipped(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const lzma = await liblzma();
  yield* coded(lzma, source, ({ ptr }) => lzma.module._lzma_stream_decoder(ptr, MAX_MEMORY_BYTES, CONCATENATED));
}

export async function* xzipped(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const lzma = await liblzma();
  yield* coded(lzma, source, ({ ptr }) => lzma.module._lzma_easy_encoder(ptr, PRESET, lzma.library.LZMA_CHECK_CRC64));
}

async function* coded(
  { library, module }: Liblzma,
  source: AsyncIterable<Uint8Array>,
  begin: (stream: LzmaStream) => number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { LZMA_FINISH, LZMA_OK, LZMA_RUN, LZMA_STREAM_END, WasmLzmaStream } = library;
  const stream = new WasmLzmaStream(module);
  const [input, output] = [module._malloc(PIECE_BYTES), module._malloc(PIECE_BYTES)];
  const step = (action: number) => {
    stream.setOutput(output, PIECE_BYTES);
    const result = library.code(stream, action);
    if (result !== LZMA_OK && result !== LZMA_STREAM_END) throw new Error(`liblzma answered ${result}`);
    const made = module.HEAPU8.slice(output, output + PIECE_BYTES - stream.availOut) as Uint8Array<ArrayBuffer>;
    return { made, hasEnded: result === LZMA_STREAM_END };
  };
  try {
    if (begin(stream) !== LZMA_OK) throw new Error("liblzma could not begin");
    for await (const chunk of source)
      for (let at = 0; at < chunk.byteLength; at += PIECE_BYTES) {
        const piece = chunk.subarray(at, at + PIECE_BYTES);
        module.HEAPU8.set(piece, input);
        stream.setInput(input, piece.byteLength);
        do {
          const { made } = step(LZMA_RUN);
          if (made.byteLength > 0) yield made;
        } while (stream.availIn > 0 || stream.availOut === 0);
      }
    stream.setInput(input, 0);
    for (let hasEnded = false; !hasEnded; ) {
      const last = step(LZMA_FINISH);
      if (last.made.byteLength > 0) yield last.made;
      hasEnded = last.hasEnded;
    }
  } finally {
    library.end(stream);
    stream.free();
    module._free(input);
    module._free(output);
  }
}
