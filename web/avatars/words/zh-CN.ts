import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const zhCN: Words<typeof en> = {
  picture: "头像",
  newPicture: "新头像",
  hint: "PNG、JPEG、GIF 或 WebP，不超过 8 MiB。将使用图片中央的正方形区域。",
  upload: "上传",
  remove: "移除头像",
  changed: "头像已更改。",
  removed: "头像已移除。",
  "avatar.missing": "请先选择图片。",
  "avatar.not-an-image": "这不是 PNG、JPEG、GIF 或 WebP 图片。没有任何更改。",
  "avatar.too-many-pixels": "图片的边长超过 {maxPx} 像素。没有任何更改。",
  "avatar.too-large": "图片超过 8 MiB。没有任何更改。",
};
