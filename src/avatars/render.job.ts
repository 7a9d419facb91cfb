import { type RenderedAvatar, renderAvatar, UnusableImage } from "./render.ts";

/** Renders an upload in a worker. An unusable upload is a result, not a failure of the worker. */
export async function run(input: {
  upload: Uint8Array;
}): Promise<RenderedAvatar | { refused: UnusableImage["reason"] }> {
  try {
    return await renderAvatar(input.upload);
  } catch (error) {
    if (error instanceof UnusableImage) return { refused: error.reason };
    throw error;
  }
}
