import type { Messages } from "../../../src/language/catalogue.ts";

export const en = {
  picture: "Picture",
  newPicture: "A new picture",
  hint: "PNG, JPEG, GIF or WebP of at most 8 MiB. Its middle square is used.",
  upload: "Upload",
  remove: "Remove the picture",
  changed: "The picture was changed.",
  removed: "The picture was removed.",
  "avatar.missing": "Choose a picture first.",
  "avatar.not-an-image": "This is not a PNG, JPEG, GIF or WebP picture. Nothing was changed.",
  "avatar.too-many-pixels": "The picture has more than {maxPx} pixels a side. Nothing was changed.",
  "avatar.too-large": "The picture is larger than 8 MiB. Nothing was changed.",
} as const satisfies Messages;
