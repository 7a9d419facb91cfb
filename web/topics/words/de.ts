import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const de: Words<typeof en> = {
  topics: "Themen",
  field: "Themen dieses Repositorys",
  hint: "Wörter, über die es gefunden wird, mit Kommas oder Leerzeichen dazwischen: höchstens 25, aus Kleinbuchstaben, Ziffern, Punkten und Bindestrichen.",
  save: "Themen speichern",
  saved: "Die Themen sind gespeichert.",
  "topics.too-many": "Es können höchstens 25 Themen sein.",
  "topics.bad-names": "Das können keine Themen sein: {names}",
  "topics.bad-name": "Das kann kein Thema sein: {name}",
  "topics.full": "Es können höchstens 25 Themen sein.",
};
