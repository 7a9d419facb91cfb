import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const de: Words<typeof en> = {
  signIn: "Anmelden",
  nameOrEmail: "Benutzername oder E-Mail-Adresse",
  password: "Passwort",
  staySignedIn: "Auf diesem Gerät angemeldet bleiben",
  newHere: "Neu hier? <link>Konto erstellen</link>",
  wrongCredentials: "Benutzername oder Passwort ist falsch.",
  prohibited: "Dieses Konto ist für die Anmeldung gesperrt. Bitte wende dich an die Administration dieser Website.",
  inactive: "Dieses Konto ist nicht aktiviert. Bitte wende dich an die Administration dieser Website.",
  tooManyAttempts: {
    one: "Zu viele Versuche. Versuche es in {count} Sekunde erneut.",
    other: "Zu viele Versuche. Versuche es in {count} Sekunden erneut.",
  },

  signOut: "Abmelden",
  signOutQuestion: "Abmelden?",
  signedInAs: "Du bist als {name} angemeldet.",
  stayHere: "Angemeldet bleiben",

  register: "Registrieren",
  createAnAccount: "Konto erstellen",
  createAccount: "Konto erstellen",
  registrationClosed: "Auf dieser Website ist die Registrierung abgeschaltet. Bitte die Administration um ein Konto.",
  haveAccount: "Du hast schon ein Konto? <link>Anmelden</link>",
  accountCreated: "Dein Konto wurde erstellt.",

  userName: "Benutzername",
  userNameHint: "Buchstaben, Ziffern, Bindestrich, Punkt und Unterstrich. Er ist Teil deiner Adressen.",
  email: "E-Mail-Adresse",
  newPassword: "Neues Passwort",
  passwordAgain: "Passwort wiederholen",
  passwordHint: {
    one: "Mindestens {count} Zeichen. Ein langes, das du dir merken kannst, ist besser als ein kurzes voller Sonderzeichen.",
    other:
      "Mindestens {count} Zeichen. Ein langes, das du dir merken kannst, ist besser als ein kurzes voller Sonderzeichen.",
  },

  setUp: "Einrichtung",
  setUpTitle: "Das Herdfeuer entzünden",
  setUpLead: "Dieser Server ist neu. Erstelle das erste Konto; es erhält Administrationsrechte.",
  setUpToken: "Einrichtungstoken",
  setUpTokenHint:
    "Der Server hat es beim Start auf seiner Konsole ausgegeben. Es weist nach, dass der Server dir gehört.",
  setUpTokenWrong:
    "Das ist nicht das Einrichtungstoken dieses Servers. Nimm den vollständigen Link aus der Konsole oder dem Protokoll.",
  createAdministrator: "Administrationskonto erstellen",
  welcome: "Willkommen. {name} administriert diese Website.",

  changePassword: "Passwort ändern",
  newPasswordTitle: "Neues Passwort wählen",
  newPasswordLead: "Das jetzige Passwort kennt noch jemand anderes. Wähle ein eigenes, bevor es weitergeht.",
  setPassword: "Passwort setzen",
  samePassword: "Wähle ein anderes als das jetzige Passwort.",
  passwordChanged: "Dein Passwort wurde geändert.",

  forgottenPassword: "Passwort vergessen?",
  forgottenTitle: "Passwort vergessen",
  forgottenLead: "An deine Adresse geht eine E-Mail mit einem Link für ein neues Passwort.",
  sendMail: "E-Mail senden",
  sendAgain: "E-Mail erneut senden",
  lookIntoMail: "Sieh in deinem Postfach nach",
  mailSent:
    "Wenn auf dieser Website ein Konto mit dieser Adresse besteht, ist eine E-Mail mit einem Link dorthin unterwegs. Sieh auch im Spam-Ordner nach. In drei Minuten kann eine weitere gesendet werden.",
  noMailForPassword: "Diese Website versendet keine E-Mails. Die Administration kann dir ein neues Passwort setzen.",
  noMailToActivate: "Diese Website versendet keine E-Mails. Die Administration kann dein Konto aktivieren.",
  tooManyRequests: {
    one: "Zu viele Anfragen. Versuche es in {count} Sekunde erneut.",
    other: "Zu viele Anfragen. Versuche es in {count} Sekunden erneut.",
  },
  deadLinkTitle: "Dieser Link funktioniert nicht mehr",
  deadLink: "Der Link wurde schon benutzt, ist abgelaufen oder unvollständig. Fordere einen neuen an.",
  newLink: "Neuen Link anfordern",
  recoverTitle: "Neues Passwort setzen",
  recoverLead: "Für das Konto {name}. Alle seine Sitzungen werden beendet.",
  recovered: "Dein neues Passwort ist gesetzt, und alle anderen Sitzungen wurden beendet.",
  activateTitle: "Konto aktivieren",
  activateLead: "Gib das Passwort ein, das du für {name} gewählt hast.",
  activateAgainLead:
    "Dein Konto wird aktiviert, sobald du den Link in der E-Mail öffnest, die an dich ging. Die E-Mail kann erneut gesendet werden.",
  activate: "Aktivieren",
  activated: "Willkommen, {name}. Dein Konto ist aktiv.",
  activationSent:
    "Eine E-Mail mit einem Link ist an {email} unterwegs. Öffne den Link, um {name} zu aktivieren; er gilt drei Stunden.",
  waitsForAdministrator:
    "Das Konto {name} wurde erstellt. Es kann benutzt werden, sobald die Administration es aktiviert hat.",
  passwordWrong: "Das Passwort ist falsch.",
  confirmTitle: "Adresse bestätigen",
  confirmQuestion:
    "{email} wird eine bestätigte Adresse von {name}. Commits mit dieser Adresse werden dann dir zugeordnet.",
  confirm: "Bestätigen",
  notNow: "Jetzt nicht",
  addressConfirmed: "Die Adresse {email} ist bestätigt.",

  mailActivateSubject: "Aktiviere dein Konto bei {site}",
  mailActivate: "Jemand, hoffentlich du, hat bei {site} mit dieser Adresse das Konto {name} erstellt.",
  mailActivateAction: "Konto aktivieren",
  mailActivateNote:
    "Der Link gilt nur einmal und {minutes} Minuten lang. Wenn du das nicht warst, ignoriere diese E-Mail: Ohne den Link bleibt das Konto unbenutzt.",
  mailConfirmSubject: "Bestätige deine Adresse bei {site}",
  mailConfirm:
    "Das Konto {name} bei {site} hat diese Adresse als eigene hinzugefügt. Bestätige sie, wenn es dein Konto ist.",
  mailConfirmAction: "Adresse bestätigen",
  mailConfirmNote:
    "Der Link gilt nur einmal, {minutes} Minuten lang und nur, wenn du als {name} angemeldet bist. Wenn du das nicht warst, ignoriere diese E-Mail.",
  mailResetSubject: "Setze ein neues Passwort bei {site}",
  mailReset: "Jemand, hoffentlich du, hat für das Konto {name} bei {site} ein neues Passwort angefordert.",
  mailResetAction: "Neues Passwort setzen",
  mailResetNote:
    "Der Link gilt nur einmal und {minutes} Minuten lang. Wenn du das nicht warst, ignoriere diese E-Mail: Das Passwort bleibt, wie es ist.",
  mailSecuritySubject: "Sicherheit deines Kontos {name} bei {site}",
  mailPasswordChanged: "Das Passwort deines Kontos {name} bei {site} wurde geändert.",
  mailPasswordRecovered:
    "Für dein Konto {name} bei {site} wurde über den Link in einer E-Mail ein neues Passwort gesetzt.",
  mailPasscodesEnabled:
    "Für dein Konto {name} bei {site} wurden Einmalcodes eingeschaltet. Die Anmeldung fragt ab jetzt danach.",
  mailPasscodesDisabled: "Für dein Konto {name} bei {site} wurden Einmalcodes ausgeschaltet.",
  mailPasskeyAdded: "Deinem Konto {name} bei {site} wurde der Passkey „{what}“ hinzugefügt.",
  mailPasskeyRemoved: "Aus deinem Konto {name} bei {site} wurde der Passkey „{what}“ entfernt.",
  mailTwoFactorRemoved: "Die Zwei-Faktor-Anmeldung deines Kontos {name} bei {site} wurde entfernt.",
  mailKeyAdded: "Deinem Konto {name} bei {site} wurde der Schlüssel „{what}“ hinzugefügt.",
  mailEmailAdded: "Deinem Konto {name} bei {site} wurde die Adresse {what} hinzugefügt.",
  mailEmailPrimary:
    "{what} ist jetzt die Hauptadresse deines Kontos {name} bei {site}; E-Mails gehen ab jetzt dorthin.",
  mailNewSignIn:
    "Jemand, hoffentlich du, hat sich mit deinem Konto {name} bei {site} von einer Netzwerkadresse angemeldet, die bisher nicht verwendet wurde.",
  mailSecurityFrom: "Das geschah am {date} (UTC), von {address} aus.",
  mailSecurityByServer: "Das geschah am {date} (UTC), auf dem Server selbst.",
  mailSecurityAction: "Sicherheitsprotokoll",
  mailSecurityNote:
    "Wenn du es nicht warst, setze sofort ein neues Passwort, melde dich überall ab und benachrichtige die Administration der Website.",
  mailTestSubject: "E-Mails von {site} kommen an",
  mailTest: "Dies ist ein Test. Er wurde vom Betreiber von {site} am Terminal gesendet und ist angekommen.",
  "account.missing": "Ein Konto namens {name} gibt es nicht.",
  "account.still-owns-repositories": "Diesem Konto gehören noch Repositorys.",
  "account.password-short": "Das Passwort braucht mindestens {min} Zeichen.",
  "account.password-too-short": "Das Passwort braucht mindestens {min} Zeichen.",
  signInWith: "Mit {name} anmelden",
  "account.password-elsewhere": "Das Passwort dieses Kontos liegt bei seiner Anmeldequelle.",
  "account.name-elsewhere": "Der Name dieses Kontos liegt bei seiner Anmeldequelle.",
  "account.password-form-off": "Hier werden keine Passwörter angenommen.",
  "account.openid-off": "OpenID 2 wird hier nicht angeboten.",
  "account.password-wrong": "Dieses Passwort ist falsch.",
  "account.no-password-for-kind": "Nur Konten von Personen haben ein Passwort.",

  passcodeOrRecovery: "Einmalcode oder Wiederherstellungscode",
  isRecoveryCode: "Es ist ein Wiederherstellungscode",
  rememberStolen:
    "Jemand hat eine Kopie des Cookies benutzt, mit dem du angemeldet bliebst. Das Gerät wurde abgemeldet; melde dich neu an und sieh in dein Sicherheitsprotokoll.",
};
