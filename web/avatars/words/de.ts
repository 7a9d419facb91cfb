import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const de: Words<typeof en> = {
  picture: "Bild",
  newPicture: "Neues Bild",
  hint: "PNG, JPEG, GIF oder WebP mit höchstens 8 MiB. Verwendet wird das Quadrat in der Mitte.",
  upload: "Hochladen",
  remove: "Bild entfernen",
  changed: "Das Bild wurde geändert.",
  removed: "Das Bild wurde entfernt.",
  "avatar.missing": "Wähle zuerst ein Bild aus.",
  "avatar.not-an-image": "Das ist kein Bild im Format PNG, JPEG, GIF oder WebP. Es wurde nichts geändert.",
  "avatar.too-many-pixels": "Das Bild hat mehr als {maxPx} Pixel je Seite. Es wurde nichts geändert.",
  "avatar.too-large": "Das Bild ist größer als 8 MiB. Es wurde nichts geändert.",
};
