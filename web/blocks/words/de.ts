import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const de: Words<typeof en> = {
  blockedUsers: "Blockierte Konten",
  blockUser: "Ein Konto blockieren",
  note: "Notiz",
  block: "Blockieren",
  unblock: "Nicht mehr blockieren",
  noBlocks: "Niemand ist blockiert",
  userBlocked: "{name} ist blockiert.",
  userUnblocked: "{name} ist nicht mehr blockiert.",
  userName: "Benutzername",
  noSuchAccount: "Dieses Konto gibt es nicht.",
  ownHint:
    "Es kann dir nicht folgen und deinen Dingen keinen Stern geben, sie nicht beobachten, forken oder kommentieren. Was es jetzt davon hat, endet.",
  ownNoteHint: "Nur du siehst sie.",
  blockThisUser: "{name} blockieren",
  saveNote: "Notiz speichern",
  noteSaved: "Die Notiz wurde gespeichert.",
  youBlock: "Du blockierst dieses Konto.",
  changeNote: "Notiz zu {name}",

  "block.blocked": "Einer der beiden blockiert den anderen.",
  "block.not-allowed": "Dieses Konto kann nicht blockiert werden.",
  "block.is-organization": "Organisationen können nicht blockiert werden.",
  "block.not-blocked": "Dieses Konto ist nicht blockiert.",
};
