/** Files that are embedded as text (`with { type: "text" }`). */
declare module "*.css" {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: an embedded file has no other export
  export default text;
}
declare module "*.min.js" {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: an embedded file has no other export
  export default text;
}
declare module "*.svg" {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: an embedded file has no other export
  export default text;
}
declare module "*.png" {
  const path: string;
  // biome-ignore lint/style/noDefaultExport: an embedded file has no other export
  export default path;
}
