declare module "swagger-ui-dist/swagger-ui-bundle.js" {
  const path: string;
  // biome-ignore lint/style/noDefaultExport: a file import has only a default export
  export default path;
}
declare module "swagger-ui-dist/swagger-ui.css" {
  const path: string;
  // biome-ignore lint/style/noDefaultExport: a file import has only a default export
  export default path;
}
