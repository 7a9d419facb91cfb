import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const es: Words<typeof en> = {
  picture: "Imagen",
  newPicture: "Imagen nueva",
  hint: "PNG, JPEG, GIF o WebP de 8 MiB como máximo. Se usa el cuadrado central.",
  upload: "Subir",
  remove: "Quitar la imagen",
  changed: "La imagen se ha cambiado.",
  removed: "La imagen se ha quitado.",
  "avatar.missing": "Elige primero una imagen.",
  "avatar.not-an-image": "No es una imagen PNG, JPEG, GIF o WebP. No se cambió nada.",
  "avatar.too-many-pixels": "La imagen supera {maxPx} píxeles por lado. No se cambió nada.",
  "avatar.too-large": "La imagen supera los 8 MiB. No se cambió nada.",
};
