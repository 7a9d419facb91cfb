import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const de: Words<typeof en> = {
  ofUser: "Aktivität von {name}",
  ofRepository: "Aktivität in {repository}",
  ofBranch: "Commits auf {branch} von {repository}",
  ofFile: "Commits an {path} auf {branch} von {repository}",
  ofTags: "Tags von {repository}",
  ofReleases: "Releases von {repository}",
};
