import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const es: Words<typeof en> = {
  star: "Destacar",
  unstar: "Quitar destacado",
  watch: "Seguir",
  unwatch: "Dejar de seguir",
  stars: "Destacados",
  stargazers: "Quiénes lo destacaron",
  watchers: "Seguidores",
  noStargazers: "Nadie ha destacado este repositorio todavía",
  noWatchers: "Nadie sigue este repositorio",
  noStars: "No hay repositorios destacados",
};
