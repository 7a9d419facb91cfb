import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const fr: Words<typeof en> = {
  dashboard: "Tableau de bord",
  recentActivity: "Activité récente",
  repositories: "Dépôts",
  repositoryPages: "Pages de dépôts",
  new: "Nouveau",
  findRepository: "Trouver un dépôt",
  archived: "Archivé",
  noMatch: "Aucun de vos dépôts ne porte un tel nom.",
  noRepositories: "Aucun dépôt pour l’instant",
  noRepositoriesHint: "Créez-en un, ou poussez vers une adresse qui n’existe pas encore.",
  newRepository: "Nouveau dépôt",

  siteDescription: "{site} : dépôts",
  searchRepositories: "Rechercher des dépôts",
  search: "Rechercher",
  recentlyActive: "Récemment actifs",
  allRepositories: "Tous les dépôts",
  noPublicRepositories: "Aucun dépôt public",
  noPublicRepositoriesHint: "Connectez-vous pour voir les dépôts auxquels vous avez accès.",
  newServer: "Ce serveur est tout neuf. Ouvrez le lien d’installation affiché dans sa console.",

  nothingYet: "Il ne s’est encore rien passé",
  nothingYetHint: "Les pushs et les nouveaux dépôts apparaîtront ici.",
  pushed: "{person} a poussé sur {branch} dans {repository}",
  pushedCommits: {
    one: "{person} a poussé {count} commit sur {branch} dans {repository}",
    other: "{person} a poussé {count} commits sur {branch} dans {repository}",
  },
  pushedMoreThan: {
    one: "{person} a poussé plus de {count} commit sur {branch} dans {repository}",
    other: "{person} a poussé plus de {count} commits sur {branch} dans {repository}",
  },
  createdBranch: "{person} a créé la branche {branch} dans {repository}",
  deletedBranch: "{person} a supprimé la branche {branch} dans {repository}",
  createdTag: "{person} a créé l’étiquette {tag} dans {repository}",
  deletedTag: "{person} a supprimé l’étiquette {tag} dans {repository}",
  changedMoreRefs: {
    one: "{person} a modifié {count} autre branche ou étiquette dans {repository}",
    other: "{person} a modifié {count} autres branches et étiquettes dans {repository}",
  },
  createdRepository: "{person} a créé {repository}",
  forkedRepository: "{person} a créé le fork {repository}",
  archivedRepository: "{person} a archivé {repository}",
  renamedRepository: "{person} a renommé {from} en {repository}",
  receivedRepository: "{person} a transféré {repository} à son propriétaire actuel",
  transferredRepository: "{person} a transféré {from} vers {repository}",
  compareAll: { one: "Comparer {count} commit", other: "Comparer les {count} commits" },

  lastYear: "Activité de la dernière année",
  contributions: {
    one: "{count} contribution dans la dernière année",
    many: "{count} contributions dans la dernière année",
    other: "{count} contributions dans la dernière année",
  },
  contributionsOn: {
    one: "{count} contribution le {day}",
    many: "{count} contributions le {day}",
    other: "{count} contributions le {day}",
  },
  less: "Moins",
  more: "Plus",
  doneOn: "Ce qui s’est passé le {day}",
  allDays: "Tous les jours",
};
