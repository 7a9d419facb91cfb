// Loaded when content that needs them is shown. The files are embedded in the executable; the imports are their paths
// in it.

import { promisify } from "node:util";
import { gzip } from "node:zlib";
import recordingStyle from "asciinema-player/dist/bundle/asciinema-player.css" with { type: "file" };
import recordingScript from "asciinema-player/dist/bundle/asciinema-player.min.js" with { type: "file" };
import diagramScript from "mermaid/dist/mermaid.min.js" with { type: "file" };
import apiStyle from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import apiScript from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };

const compress = promisify(gzip);

const FILES = {
  "mermaid.js": diagramScript,
  "asciinema-player.js": recordingScript,
  "asciinema-player.css": recordingStyle,
  "swagger-ui.js": apiScript,
  "swagger-ui.css": apiStyle,
} as const;

export type ViewerFileName = keyof typeof FILES;

export function isViewerFile(name: string): name is ViewerFileName {
  return Object.hasOwn(FILES, name);
}

/** The file, compressed off the event loop: Mermaid's 5.5 MB shrink to a fifth. */
export async function compressedViewerFile(name: ViewerFileName): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await compress(await Bun.file(FILES[name]).bytes()));
}
