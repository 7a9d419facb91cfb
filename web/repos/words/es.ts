import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const es: Words<typeof en> = {
  newRepository: "Nuevo repositorio",
  settings: "Configuración",
  general: "General",
  collaborators: "Colaboradores",
  branches: "Ramas",
  repositorySettings: "Configuración del repositorio",

  recentupdate: "Actualizados recientemente",
  leastupdate: "Actualizados hace más tiempo",
  newest: "Más recientes",
  oldest: "Más antiguos",
  alphabetically: "Nombre, de la A a la Z",
  reversealphabetically: "Nombre, de la Z a la A",
  size: "Más pequeños",
  reversesize: "Más grandes",
  archived: "Archivado",
  template: "Plantilla",
  updated: "actualizado {time}",
};
