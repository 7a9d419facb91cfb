import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const es: Words<typeof en> = {
  code: "Código",
  searchCode: "Buscar en el código",
  searchHere: "Buscar en {repository}",
  search: "Buscar",
  mode: "Modo de búsqueda",
  "mode-exact": "Exacta",
  "mode-words": "Todas las palabras",
  "mode-regexp": "Expresión regular",
  allLanguages: "Todos los lenguajes",
  language: "Lenguaje",
  resultCount: { one: "{count} archivo", other: "{count} archivos" },
  atLeast: { one: "Al menos {count} archivo", other: "Al menos {count} archivos" },
  partial: "Hay más archivos de los que se pudieron revisar a tiempo. Un texto más largo acota la búsqueda.",
  moreLines: { one: "{count} línea más", other: "{count} líneas más" },
  noMatch: "No se encontró nada.",
  noMatchHint: "Solo se busca en las ramas predeterminadas, sin archivos binarios ni muy grandes.",
  prompt: "Busca en el código de todos los repositorios que puedes leer.",
  promptHere: "Solo se busca en la rama predeterminada: {branch}.",
  missing: "El código de este repositorio se está indexando. La página mostrará los resultados en cuanto termine.",
  missingEverywhere: "El código se está indexando. Vuelve en un momento.",
  "search.bad-expression": "No es una expresión regular válida.",
  "search.too-long": "La búsqueda es demasiado larga.",
  "search.too-vague": "Para buscar en todas partes hacen falta al menos tres caracteres seguidos.",
  "search.too-slow": "Tardó demasiado y se detuvo. Una expresión más sencilla quizá lo encuentre.",
};
