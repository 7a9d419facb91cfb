/** Library files, imported as paths in the executable. */
declare module "mermaid/dist/mermaid.min.js" {
  const path: string;
  // biome-ignore lint/style/noDefaultExport: a file import has only a default export
  export default path;
}
declare module "asciinema-player/dist/bundle/asciinema-player.min.js" {
  const path: string;
  // biome-ignore lint/style/noDefaultExport: a file import has only a default export
  export default path;
}
declare module "asciinema-player/dist/bundle/asciinema-player.css" {
  const path: string;
  // biome-ignore lint/style/noDefaultExport: a file import has only a default export
  export default path;
}
