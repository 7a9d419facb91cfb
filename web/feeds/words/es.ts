import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const es: Words<typeof en> = {
  ofUser: "Actividad de {name}",
  ofRepository: "Actividad en {repository}",
  ofBranch: "Commits en {branch} de {repository}",
  ofFile: "Commits de {path} en {branch} de {repository}",
  ofTags: "Etiquetas de {repository}",
  ofReleases: "Versiones de {repository}",
};
