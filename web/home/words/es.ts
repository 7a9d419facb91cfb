import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const es: Words<typeof en> = {
  dashboard: "Panel",
  recentActivity: "Actividad reciente",
  repositories: "Repositorios",
  repositoryPages: "Páginas de repositorios",
  new: "Nuevo",
  findRepository: "Buscar un repositorio",
  archived: "Archivado",
  noMatch: "Ninguno de tus repositorios tiene un nombre así.",
  noRepositories: "Aún no hay repositorios",
  noRepositoriesHint: "Crea uno o haz push a una dirección que todavía no exista.",
  newRepository: "Nuevo repositorio",

  siteDescription: "{site}: repositorios",
  searchRepositories: "Buscar repositorios",
  search: "Buscar",
  recentlyActive: "Con actividad reciente",
  allRepositories: "Todos los repositorios",
  noPublicRepositories: "No hay repositorios públicos",
  noPublicRepositoriesHint: "Inicia sesión para ver los repositorios a los que tienes acceso.",
  newServer: "Este servidor es nuevo. Abre el enlace de instalación que aparece en su consola.",

  nothingYet: "Todavía no ha pasado nada",
  nothingYetHint: "Aquí aparecerán los pushes y los repositorios nuevos.",
  pushed: "{person} hizo push a {branch} en {repository}",
  pushedCommits: {
    one: "{person} subió {count} commit a {branch} en {repository}",
    other: "{person} subió {count} commits a {branch} en {repository}",
  },
  pushedMoreThan: {
    one: "{person} subió más de {count} commit a {branch} en {repository}",
    other: "{person} subió más de {count} commits a {branch} en {repository}",
  },
  createdBranch: "{person} creó la rama {branch} en {repository}",
  deletedBranch: "{person} eliminó la rama {branch} en {repository}",
  createdTag: "{person} creó la etiqueta {tag} en {repository}",
  deletedTag: "{person} eliminó la etiqueta {tag} en {repository}",
  changedMoreRefs: {
    one: "{person} cambió {count} rama o etiqueta más en {repository}",
    other: "{person} cambió {count} ramas y etiquetas más en {repository}",
  },
  createdRepository: "{person} creó {repository}",
  forkedRepository: "{person} creó la bifurcación {repository}",
  archivedRepository: "{person} archivó {repository}",
  renamedRepository: "{person} renombró {from} a {repository}",
  receivedRepository: "{person} transfirió {repository} a su propietario actual",
  transferredRepository: "{person} transfirió {from} a {repository}",
  compareAll: { one: "Comparar {count} commit", other: "Comparar los {count} commits" },

  lastYear: "Actividad del último año",
  contributions: {
    one: "{count} contribución en el último año",
    many: "{count} contribuciones en el último año",
    other: "{count} contribuciones en el último año",
  },
  contributionsOn: {
    one: "{count} contribución el {day}",
    many: "{count} contribuciones el {day}",
    other: "{count} contribuciones el {day}",
  },
  less: "Menos",
  more: "Más",
  doneOn: "Lo que se hizo el {day}",
  allDays: "Todos los días",
};
