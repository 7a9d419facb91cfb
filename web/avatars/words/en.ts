import type { Messages } from "../../../src/language/catalogue.ts";

export const en = {
  picture: "Picture",
  newPicture: "New picture",
  hint: "PNG, JPEG, GIF or WebP, at most 8 MiB. It is cropped to a square.",
  upload: "Upload",
  remove: "Remove the picture",
  changed: "The picture was changed.",
  removed: "The picture was removed.",
  "avatar.missing": "Choose a picture first.",
  "avatar.not-an-image": "This is not a PNG, JPEG, GIF or WebP picture. Nothing was changed.",
  "avatar.too-many-pixels": "The picture is wider or higher than {maxPx} pixels. Nothing was changed.",
  "avatar.too-large": "The picture is larger than 8 MiB. Nothing was changed.",
} as const satisfies Messages;
