import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const es: Words<typeof en> = {
  explore: "Explorar",
  repositories: "Repositorios",
  users: "Usuarios",
  organizations: "Organizaciones",
  searchOrganizations: "Buscar organizaciones",
  noOrganizations: "Aún no hay organizaciones",
  searchRepositories: "Buscar repositorios",
  searchUsers: "Buscar usuarios",
  newest: "Más recientes",
  oldest: "Más antiguos",
  alphabetically: "Nombre, de la A a la Z",
  reversealphabetically: "Nombre, de la Z a la A",
  joined: "se unió {time}",
  noRepositories: "No hay repositorios que mostrar",
  noUsers: "No hay usuarios que mostrar",
  noMatch: "No se encontraron resultados.",
  noMatchHint: "Prueba con menos palabras o con otras.",
};
