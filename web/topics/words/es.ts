import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const es: Words<typeof en> = {
  topics: "Temas",
  field: "Temas de este repositorio",
  hint: "Palabras con las que se encuentra, separadas por comas o espacios: 25 como máximo, con minúsculas, cifras, puntos y guiones.",
  save: "Guardar los temas",
  saved: "Los temas se han guardado.",
  "topics.too-many": "Puede haber 25 temas como máximo.",
  "topics.bad-names": "Estas palabras no pueden ser temas: {names}",
  "topics.bad-name": "Esta palabra no puede ser un tema: {name}",
  "topics.full": "Puede haber 25 temas como máximo.",
};
