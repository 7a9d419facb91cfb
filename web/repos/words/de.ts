import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const de: Words<typeof en> = {
  newRepository: "Neues Repository",
  settings: "Einstellungen",
  general: "Allgemein",
  collaborators: "Mitarbeitende",
  branches: "Branches",
  repositorySettings: "Einstellungen des Repositorys",

  recentupdate: "Zuletzt geändert",
  leastupdate: "Am längsten unverändert",
  newest: "Neueste zuerst",
  oldest: "Älteste zuerst",
  alphabetically: "Name, A bis Z",
  reversealphabetically: "Name, Z bis A",
  size: "Kleinste zuerst",
  reversesize: "Größte zuerst",
  archived: "Archiviert",
  template: "Vorlage",
  updated: "geändert {time}",
};
