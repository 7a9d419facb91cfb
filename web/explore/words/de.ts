import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const de: Words<typeof en> = {
  explore: "Entdecken",
  repositories: "Repositorys",
  users: "Benutzer",
  organizations: "Organisationen",
  searchOrganizations: "Organisationen suchen",
  noOrganizations: "Noch keine Organisationen",
  searchRepositories: "Repositorys suchen",
  searchUsers: "Benutzer suchen",
  newest: "Neueste zuerst",
  oldest: "Älteste zuerst",
  alphabetically: "Name, A bis Z",
  reversealphabetically: "Name, Z bis A",
  joined: "dabei seit: {time}",
  noRepositories: "Keine Repositorys vorhanden",
  noUsers: "Keine Benutzer vorhanden",
  noMatch: "Keine passenden Ergebnisse gefunden.",
  noMatchHint: "Versuche es mit weniger oder anderen Wörtern.",
};
