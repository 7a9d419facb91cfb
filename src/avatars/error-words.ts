import type { ErrorWords } from "../http/error-words.ts";

export const avatarErrorWords: ErrorWords = {
  "avatar.not-an-image": "[Image]: not a PNG, JPEG, GIF or WebP image",
  "avatar.too-many-pixels": ({ maxPx }) => `[Image]: larger than ${maxPx} x ${maxPx} pixels`,
  "avatar.too-large": ({ maxBytes }) => `[Image]: larger than ${maxBytes} bytes`,
  "avatar.bad-base64": ({ position }) => `illegal base64 data at input byte ${position}`,
  "avatar.missing": "[Image]: Required",
  "avatar.not-yours": "not allowed to change this avatar",
  "avatar.reserved-account": "this account has no avatar",
};
