import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const fr: Words<typeof en> = {
  explore: "Explorer",
  repositories: "Dépôts",
  users: "Utilisateurs",
  organizations: "Organisations",
  searchOrganizations: "Rechercher des organisations",
  noOrganizations: "Aucune organisation pour l’instant",
  searchRepositories: "Rechercher des dépôts",
  searchUsers: "Rechercher des utilisateurs",
  newest: "Plus récents",
  oldest: "Plus anciens",
  alphabetically: "Nom, de A à Z",
  reversealphabetically: "Nom, de Z à A",
  joined: "inscrit {time}",
  noRepositories: "Aucun dépôt à afficher",
  noUsers: "Aucun utilisateur à afficher",
  noMatch: "Aucun résultat trouvé.",
  noMatchHint: "Essayez avec moins de mots ou d’autres mots.",
};
