import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const de: Words<typeof en> = {
  signIn: "Anmelden",
  nameOrEmail: "Benutzername oder E-Mail-Adresse",
  password: "Passwort",
  staySignedIn: "Auf diesem Gerät angemeldet bleiben",
  newHere: "Neu hier? <link>Konto erstellen</link>",
  wrongCredentials: "Benutzername oder Passwort ist falsch.",
  prohibited: "Mit diesem Konto ist keine Anmeldung erlaubt. Bitte wenden Sie sich an die Administration dieser Seite.",
  inactive: "Dieses Konto ist nicht aktiviert. Bitte wenden Sie sich an die Administration dieser Seite.",
  tooManyAttempts: {
    one: "Zu viele Versuche. Versuchen Sie es in {count} Sekunde erneut.",
    other: "Zu viele Versuche. Versuchen Sie es in {count} Sekunden erneut.",
  },

  signOut: "Abmelden",
  signOutQuestion: "Abmelden?",
  signedInAs: "Sie sind als {name} angemeldet.",
  stayHere: "Angemeldet bleiben",

  register: "Registrieren",
  createAnAccount: "Konto erstellen",
  createAccount: "Konto erstellen",
  registrationClosed: "Auf dieser Seite kann man sich nicht registrieren. Bitten Sie die Administration um ein Konto.",
  haveAccount: "Sie haben schon ein Konto? <link>Anmelden</link>",
  accountCreated: "Ihr Konto wurde erstellt.",

  userName: "Benutzername",
  userNameHint: "Buchstaben, Ziffern, Bindestrich, Punkt und Unterstrich. Er ist Teil Ihrer Adressen.",
  email: "E-Mail-Adresse",
  passwordAgain: "Passwort wiederholen",
  passwordHint: {
    one: "Mindestens {count} Zeichen. Ein langes, das Sie sich merken können, ist besser als ein kurzes voller Sonderzeichen.",
    other:
      "Mindestens {count} Zeichen. Ein langes, das Sie sich merken können, ist besser als ein kurzes voller Sonderzeichen.",
  },

  setUp: "Einrichtung",
  setUpTitle: "Das Herdfeuer entzünden",
  setUpLead: "Dieser Server ist neu. Erstellen Sie sein erstes Konto; es erhält Administrationsrechte.",
  setUpToken: "Einrichtungstoken",
  setUpTokenHint:
    "Der Server hat es beim Start auf seine Konsole geschrieben. Es beweist, dass der Server Ihnen gehört.",
  setUpTokenWrong:
    "Das ist nicht das Einrichtungstoken dieses Servers. Nehmen Sie den vollständigen Link aus der Konsole oder dem Log.",
  createAdministrator: "Administrationskonto erstellen",
  welcome: "Willkommen. {name} administriert diese Seite.",

  changePassword: "Passwort ändern",
  newPasswordTitle: "Neues Passwort wählen",
  newPasswordLead: "Das jetzige Passwort kennt noch jemand. Wählen Sie ein eigenes, bevor es weitergeht.",
  setPassword: "Passwort setzen",
  samePassword: "Wählen Sie ein anderes als das jetzige Passwort.",
  passwordChanged: "Ihr Passwort wurde geändert.",
};
