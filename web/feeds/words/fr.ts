import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const fr: Words<typeof en> = {
  ofUser: "Activité de {name}",
  ofRepository: "Activité de {repository}",
  ofBranch: "Commits sur {branch} de {repository}",
  ofFile: "Commits sur {path} dans {branch} de {repository}",
  ofTags: "Tags de {repository}",
  ofReleases: "Versions de {repository}",
};
