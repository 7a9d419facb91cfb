import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const ja: Words<typeof en> = {
  picture: "画像",
  newPicture: "新しい画像",
  hint: "8 MiB までの PNG、JPEG、GIF、WebP。中央の正方形が使われます。",
  upload: "アップロード",
  remove: "画像を削除",
  changed: "画像を変更しました。",
  removed: "画像を削除しました。",
  "avatar.missing": "先に画像を選択してください。",
  "avatar.not-an-image": "PNG、JPEG、GIF、WebP の画像ではありません。何も変更されていません。",
  "avatar.too-many-pixels": "画像の一辺が {maxPx} ピクセルを超えています。何も変更されていません。",
  "avatar.too-large": "画像が 8 MiB を超えています。何も変更されていません。",
};
