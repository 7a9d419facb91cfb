import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const de: Words<typeof en> = {
  dashboard: "Übersicht",
  recentActivity: "Letzte Aktivität",
  repositories: "Repositorys",
  repositoryPages: "Seiten der Repositorys",
  new: "Neu",
  findRepository: "Repository finden",
  archived: "Archiviert",
  noMatch: "Keines deiner Repositorys heißt so ähnlich.",
  noRepositories: "Noch keine Repositorys",
  noRepositoriesHint: "Erstelle eines an, oder pushe an eine Adresse, die es noch nicht gibt.",
  newRepository: "Neues Repository",

  siteDescription: "{site}: Repositorys",
  searchRepositories: "Repositorys suchen",
  search: "Suchen",
  recentlyActive: "Zuletzt aktiv",
  allRepositories: "Alle Repositorys",
  noPublicRepositories: "Keine öffentlichen Repositorys",
  noPublicRepositoriesHint: "Melde dich an, um die Repositorys zu sehen, auf die du Zugriff hast.",
  newServer: "Dieser Server ist neu. Öffne den Einrichtungslink, der auf seiner Konsole steht.",

  nothingYet: "Noch ist nichts passiert",
  nothingYetHint: "Hier erscheinen Pushes und neue Repositorys.",
  pushed: "{person} hat in {repository} auf {branch} gepusht",
  pushedCommits: {
    one: "{person} hat {count} Commit in {repository} auf {branch} gepusht",
    other: "{person} hat {count} Commits in {repository} auf {branch} gepusht",
  },
  pushedMoreThan: {
    one: "{person} hat mehr als {count} Commit in {repository} auf {branch} gepusht",
    other: "{person} hat mehr als {count} Commits in {repository} auf {branch} gepusht",
  },
  createdBranch: "{person} hat in {repository} den Branch {branch} erstellt",
  deletedBranch: "{person} hat in {repository} den Branch {branch} gelöscht",
  createdTag: "{person} hat in {repository} das Tag {tag} erstellt",
  deletedTag: "{person} hat in {repository} das Tag {tag} gelöscht",
  changedMoreRefs: {
    one: "{person} hat in {repository} {count} weiteren Branch oder Tag geändert",
    other: "{person} hat in {repository} {count} weitere Branches und Tags geändert",
  },
  createdRepository: "{person} hat {repository} erstellt",
  forkedRepository: "{person} hat nach {repository} geforkt",
  archivedRepository: "{person} hat {repository} archiviert",
  renamedRepository: "{person} hat {from} in {repository} umbenannt",
  transferredRepository: "{person} hat {from} auf {repository} übertragen",
  compareAll: { one: "{count} Commit vergleichen", other: "Alle {count} Commits vergleichen" },

  lastYear: "Aktivität des letzten Jahres",
  contributions: { one: "{count} Beitrag im letzten Jahr", other: "{count} Beiträge im letzten Jahr" },
  contributionsOn: { one: "{count} Beitrag am {day}", other: "{count} Beiträge am {day}" },
  less: "Weniger",
  more: "Mehr",
  doneOn: "Was am {day} geschah",
  allDays: "Alle Tage",
};
