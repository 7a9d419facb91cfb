import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const es: Words<typeof en> = {
  activity: "Actividad",
  pulse: "Resumen",
  contributors: "Colaboradores",
  "code-frequency": "Frecuencia del código",
  "recent-commits": "Commits recientes",
  period: "Período",
  "last-daily": "1 día",
  "last-halfweekly": "3 días",
  "last-weekly": "1 semana",
  "last-monthly": "1 mes",
  "last-quarterly": "3 meses",
  "last-semiyearly": "6 meses",
  "last-yearly": "1 año",
  codeIn: "Commits en {branch}",
  commitsBy: { one: "{count} commit de {authors}.", other: "{count} commits de {authors}." },
  authorCount: { one: "{count} persona", other: "{count} personas" },
  mergesBesides: { one: "Además, {count} fusión.", other: "Además, {count} fusiones." },
  counting:
    "Se está contando. La página lo mostrará en cuanto esté listo; un historial largo tarda minutos la primera vez.",
  commitsOverTime: "Commits a lo largo del tiempo, sin fusiones",
  commitsOf: "Commits de {name}",
  commitCount: { one: "{count} commit", other: "{count} commits" },
  additions: "Líneas añadidas",
  deletions: "Líneas eliminadas",
  tooLong: "No se cuentan líneas en historiales de más de 20.000 commits.",
  lastYear: {
    one: "{count} commit en el último año, sin fusiones",
    other: "{count} commits en el último año, sin fusiones",
  },
  commitsAWeek: "Commits por semana",
  hours: "Commits del último año por hora, según el reloj de sus autores",
};
