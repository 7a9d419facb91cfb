import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const fr: Words<typeof en> = {
  picture: "Image",
  newPicture: "Nouvelle image",
  hint: "PNG, JPEG, GIF ou WebP de 8 MiB au maximum. Le carré central est utilisé.",
  upload: "Envoyer",
  remove: "Supprimer l’image",
  changed: "L’image a été changée.",
  removed: "L’image a été supprimée.",
  "avatar.missing": "Choisissez d’abord une image.",
  "avatar.not-an-image": "Ce n’est pas une image PNG, JPEG, GIF ou WebP. Rien n’a été modifié.",
  "avatar.too-many-pixels": "L’image dépasse {maxPx} pixels de côté. Rien n’a été modifié.",
  "avatar.too-large": "L’image dépasse 8 MiB. Rien n’a été modifié.",
};
