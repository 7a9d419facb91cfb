import { assetPath, assetResponse } from "../../web/assets/index.ts";

/** Compiled by assets.test.ts: prints what the executable serves. */
for (const name of ["hearth.css", "hearth.js", "icon.svg", "icon-512.png", "site-manifest.json"] as const) {
  const answer = assetResponse(assetPath(name), null);
  console.log(name, assetPath(name), (await answer?.arrayBuffer())?.byteLength);
}
