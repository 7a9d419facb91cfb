/** The path of the library in the executable. */
declare module "node-liblzma/wasm/liblzma.wasm" {
  const path: string;
  // biome-ignore lint/style/noDefaultExport: what the runtime gives
  export default path;
}
