import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const fr: Words<typeof en> = {
  newRepository: "Nouveau dépôt",
  settings: "Paramètres",
  general: "Général",
  collaborators: "Collaborateurs",
  branches: "Branches",
  repositorySettings: "Paramètres du dépôt",

  recentupdate: "Modifiés récemment",
  leastupdate: "Modifiés il y a longtemps",
  newest: "Plus récents",
  oldest: "Plus anciens",
  alphabetically: "Nom, de A à Z",
  reversealphabetically: "Nom, de Z à A",
  size: "Plus petits",
  reversesize: "Plus grands",
  archived: "Archivé",
  template: "Modèle",
  updated: "modifié {time}",
};
