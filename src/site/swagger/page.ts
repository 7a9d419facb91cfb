/** The page that shows the API document: self-contained HTML without inline scripts or external resources. */

/** Addresses are relative to the page's folder, so that the site may be served under a path. */
export const swaggerPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Hearth API</title>
<link rel="stylesheet" href="swagger/ui.css">
</head>
<body>
<div id="swagger-ui"><noscript>This page needs JavaScript. The document itself is at <a href="../swagger.v1.json">swagger.v1.json</a>.</noscript></div>
<script src="swagger/ui.js" defer></script>
<script src="swagger/init.js" defer></script>
</body>
</html>
`;

export const swaggerInit = `SwaggerUIBundle({
  url: new URL("../openapi3.v1.json", document.baseURI).href,
  dom_id: "#swagger-ui",
  deepLinking: true,
  docExpansion: "none",
  validatorUrl: null,
});
`;

/** Swagger UI uses images in data addresses and sets styles by script, which this policy allows. */
export const swaggerPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
