import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const fr: Words<typeof en> = {
  topics: "Thèmes",
  field: "Thèmes de ce dépôt",
  hint: "Mots par lesquels on le trouve, séparés par des virgules ou des espaces : 25 au plus, en lettres minuscules, chiffres, points et traits d’union.",
  save: "Enregistrer les thèmes",
  saved: "Les thèmes sont enregistrés.",
  "topics.too-many": "Il peut y avoir 25 thèmes au plus.",
  "topics.bad-names": "Ces mots ne peuvent pas être des thèmes : {names}",
  "topics.bad-name": "Ce mot ne peut pas être un thème : {name}",
  "topics.full": "Il peut y avoir 25 thèmes au plus.",
};
