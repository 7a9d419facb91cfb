import { mediaTypeOf } from "../kernel/media-type.ts";
import { isPlainPng } from "./plain-png.ts";
import { squarePng } from "./square.ts";

/** The upload cannot become an avatar; `reason` is the end of the error's code. */
export class UnusableImage extends Error {
  override name = "UnusableImage";
  constructor(readonly reason: "not-an-image" | "too-many-pixels") {
    super(reason);
  }
}

/** The stored versions of an upload: WebP, or the upload itself. */
export interface RenderedAvatar {
  readonly large: Uint8Array<ArrayBuffer>;
  readonly small: Uint8Array<ArrayBuffer>;
}

/** Pixels a side. */
export const LARGE_PX = 512;
export const SMALL_PX = 128;

const MAX_SIDE_PX = 4096;
const ACCEPTED = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const WEBP = { quality: 86 };
/** As in the contract: smaller files are kept as they are (identity.md 8.9). */
const MAX_AS_IT_IS_BYTES = 256 * 1024;

/**
 * Rotates an uploaded picture upright, crops it to its central square and re-encodes it in two sizes, so that only
 * its pixels are kept: no location, no camera data, no second file hidden behind the picture. A small square PNG
 * without other content is kept as it is.
 * @throws UnusableImage another format than PNG, JPEG, GIF or WebP, broken, or too many pixels (checked before
 * decoding)
 */
export async function renderAvatar(upload: Uint8Array): Promise<RenderedAvatar> {
  const type = mediaTypeOf(upload);
  if (!ACCEPTED.has(type)) throw new UnusableImage("not-an-image");
  const options = { maxPixels: MAX_SIDE_PX ** 2, autoOrient: true };
  try {
    const { width, height } = await new Bun.Image(upload, options).metadata();
    if (width > MAX_SIDE_PX || height > MAX_SIDE_PX) throw new UnusableImage("too-many-pixels");
    // Scales by the shorter side, whichever that is after rotation.
    const scale = Math.min(1, LARGE_PX / Math.min(width, height));
    const longer = Math.max(1, Math.round(Math.max(width, height) * scale));
    const upright = await new Bun.Image(upload, options).resize(longer, longer, { fit: "inside" }).png().bytes();
    const square = squarePng(upright);
    const sized = async (px: number) =>
      new Uint8Array(
        await new Bun.Image(square).resize(px, px, { fit: "inside", withoutEnlargement: true }).webp(WEBP).bytes(),
      );
    const isFine =
      type === "image/png" && width === height && upload.length <= MAX_AS_IT_IS_BYTES && isPlainPng(upload);
    const keptUpTo = (px: number) => (isFine && width <= px ? Promise.resolve(new Uint8Array(upload)) : sized(px));
    return { large: await keptUpTo(LARGE_PX), small: await keptUpTo(SMALL_PX) };
  } catch (error) {
    if (error instanceof UnusableImage) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ERR_IMAGE_TOO_MANY_PIXELS") throw new UnusableImage("too-many-pixels");
    if (code.startsWith("ERR_IMAGE_")) throw new UnusableImage("not-an-image");
    throw error;
  }
}
