import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const es: Words<typeof en> = {
  code: "Código",
  commits: "Commits",
  branches: "Ramas",
  tags: "Etiquetas",
  committed: "commit {time}",
};
