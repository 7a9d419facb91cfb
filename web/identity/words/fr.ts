import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const fr: Words<typeof en> = {
  signIn: "Se connecter",
  nameOrEmail: "Nom d’utilisateur ou e-mail",
  password: "Mot de passe",
  staySignedIn: "Rester connecté sur cet appareil",
  newHere: "Nouveau ici ? <link>Créez un compte</link>",
  wrongCredentials: "Nom d’utilisateur ou mot de passe incorrect.",
  prohibited: "La connexion est interdite à ce compte. Veuillez contacter l’administrateur du site.",
  inactive: "Ce compte n’est pas activé. Veuillez contacter l’administrateur du site.",
  tooManyAttempts: {
    one: "Trop de tentatives. Réessayez dans {count} seconde.",
    other: "Trop de tentatives. Réessayez dans {count} secondes.",
  },

  signOut: "Se déconnecter",
  signOutQuestion: "Se déconnecter ?",
  signedInAs: "Vous êtes connecté en tant que {name}.",
  stayHere: "Rester connecté",

  register: "S’inscrire",
  createAnAccount: "Créer un compte",
  createAccount: "Créer le compte",
  registrationClosed: "Les inscriptions sont fermées sur ce site. Demandez un compte à son administrateur.",
  haveAccount: "Vous avez déjà un compte ? <link>Connectez-vous</link>",
  accountCreated: "Votre compte a été créé.",

  userName: "Nom d’utilisateur",
  userNameHint: "Lettres, chiffres, tiret, point et tiret bas. Il fait partie de vos adresses.",
  email: "Adresse e-mail",
  newPassword: "Nouveau mot de passe",
  passwordAgain: "Confirmer le mot de passe",
  passwordHint: {
    one: "Au moins {count} caractère. Un mot de passe long et facile à retenir vaut mieux qu’un court plein de symboles.",
    other:
      "Au moins {count} caractères. Un mot de passe long et facile à retenir vaut mieux qu’un court plein de symboles.",
  },

  setUp: "Installation",
  setUpTitle: "Allumer le foyer",
  setUpLead: "Ce serveur est tout neuf. Créez son premier compte : ce sera celui de l’administrateur.",
  setUpToken: "Jeton d’installation",
  setUpTokenHint: "Le serveur l’a affiché dans sa console au démarrage. Il prouve que ce serveur est à vous.",
  setUpTokenWrong:
    "Ce n’est pas le jeton d’installation de ce serveur. Reprenez le lien entier dans sa console ou son journal.",
  createAdministrator: "Créer l’administrateur",
  welcome: "Bienvenue. {name} administre ce site.",

  changePassword: "Changer le mot de passe",
  newPasswordTitle: "Choisissez un nouveau mot de passe",
  newPasswordLead: "Quelqu’un d’autre connaît le mot de passe actuel. Choisissez le vôtre avant de continuer.",
  setPassword: "Définir le mot de passe",
  samePassword: "Choisissez un mot de passe différent de l’actuel.",
  passwordChanged: "Votre mot de passe a été changé.",

  forgottenPassword: "Mot de passe oublié ?",
  forgottenTitle: "Mot de passe oublié",
  forgottenLead: "Vous recevrez un e-mail contenant un lien pour choisir un nouveau mot de passe.",
  sendMail: "Envoyer l’e-mail",
  sendAgain: "Renvoyer l’e-mail",
  lookIntoMail: "Consultez votre boîte de réception",
  mailSent:
    "Si un compte de ce site utilise cette adresse, un e-mail contenant un lien vient de lui être envoyé. Pensez à vérifier vos courriers indésirables. Un autre pourra être envoyé dans trois minutes.",
  noMailForPassword: "Ce site n’envoie pas d’e-mails. Son administrateur peut vous définir un nouveau mot de passe.",
  noMailToActivate: "Ce site n’envoie pas d’e-mails. Son administrateur peut activer votre compte.",
  tooManyRequests: {
    one: "Trop de requêtes. Réessayez dans {count} seconde.",
    other: "Trop de requêtes. Réessayez dans {count} secondes.",
  },
  deadLinkTitle: "Ce lien ne fonctionne plus",
  deadLink: "Le lien a déjà été utilisé, a expiré ou est incomplet. Demandez-en un nouveau.",
  newLink: "Demander un nouveau lien",
  recoverTitle: "Définir un nouveau mot de passe",
  recoverLead: "Pour le compte {name}. Toutes ses sessions prendront fin.",
  recovered: "Votre nouveau mot de passe est défini et toutes vos autres sessions ont pris fin.",
  activateTitle: "Activer votre compte",
  activateLead: "Saisissez le mot de passe que vous avez choisi pour {name}.",
  activateAgainLead:
    "Votre compte sera activé quand vous ouvrirez le lien de l’e-mail qui vous a été envoyé. Cet e-mail peut vous être renvoyé.",
  activate: "Activer",
  activated: "Bienvenue, {name}. Votre compte est actif.",
  activationSent:
    "Un e-mail contenant un lien a été envoyé à {email}. Ouvrez le lien pour activer {name} ; il est valable trois heures.",
  waitsForAdministrator:
    "Le compte {name} a été créé. Il pourra être utilisé dès que l’administrateur du site l’aura activé.",
  passwordWrong: "Le mot de passe est incorrect.",
  confirmTitle: "Confirmer votre adresse",
  confirmQuestion:
    "{email} deviendra une adresse confirmée de {name}. Les commits faits avec cette adresse vous seront attribués.",
  confirm: "Confirmer",
  notNow: "Plus tard",
  addressConfirmed: "L’adresse {email} est confirmée.",

  mailActivateSubject: "Activez votre compte sur {site}",
  mailActivate: "Quelqu’un, vous sans doute, a créé le compte {name} sur {site} avec cette adresse.",
  mailActivateAction: "Activer le compte",
  mailActivateNote:
    "Le lien fonctionne une seule fois, pendant {minutes} minutes. Si ce n’était pas vous, ignorez cet e-mail : sans le lien, le compte restera inutilisé.",
  mailConfirmSubject: "Confirmez votre adresse sur {site}",
  mailConfirm:
    "Le compte {name} sur {site} a ajouté cette adresse aux siennes. Confirmez-la si ce compte est le vôtre.",
  mailConfirmAction: "Confirmer l’adresse",
  mailConfirmNote:
    "Le lien fonctionne une seule fois, pendant {minutes} minutes, et seulement en étant connecté en tant que {name}. Si ce n’était pas vous, ignorez cet e-mail.",
  mailResetSubject: "Définissez un nouveau mot de passe sur {site}",
  mailReset: "Quelqu’un, vous sans doute, a demandé un nouveau mot de passe pour le compte {name} sur {site}.",
  mailResetAction: "Définir un nouveau mot de passe",
  mailResetNote:
    "Le lien fonctionne une seule fois, pendant {minutes} minutes. Si ce n’était pas vous, ignorez cet e-mail : le mot de passe ne changera pas.",
  mailSecuritySubject: "Sécurité de votre compte {name} sur {site}",
  mailPasswordChanged: "Le mot de passe de votre compte {name} sur {site} a été modifié.",
  mailPasswordRecovered:
    "Un nouveau mot de passe a été défini pour votre compte {name} sur {site}, par le lien d’un e-mail.",
  mailPasscodesEnabled:
    "Les codes à usage unique ont été activés pour votre compte {name} sur {site}. La connexion en demandera un désormais.",
  mailPasscodesDisabled: "Les codes à usage unique ont été désactivés pour votre compte {name} sur {site}.",
  mailPasskeyAdded: "La clé d’accès « {what} » a été ajoutée à votre compte {name} sur {site}.",
  mailPasskeyRemoved: "La clé d’accès « {what} » a été retirée de votre compte {name} sur {site}.",
  mailTwoFactorRemoved: "L’authentification à deux facteurs a été retirée de votre compte {name} sur {site}.",
  mailKeyAdded: "La clé « {what} » a été ajoutée à votre compte {name} sur {site}.",
  mailEmailAdded: "L’adresse {what} a été ajoutée à votre compte {name} sur {site}.",
  mailEmailPrimary:
    "{what} est désormais l’adresse principale de votre compte {name} sur {site} ; les e-mails y seront envoyés.",
  mailNewSignIn:
    "Quelqu’un, vous sans doute, s’est connecté à votre compte {name} sur {site} depuis une adresse réseau qui n’avait jamais servi.",
  mailSecurityFrom: "Cela s’est produit le {date} (UTC), depuis {address}.",
  mailSecurityByServer: "Cela s’est produit le {date} (UTC), sur le serveur même.",
  mailSecurityAction: "Journal de sécurité",
  mailSecurityNote:
    "Si ce n’était pas vous, définissez tout de suite un nouveau mot de passe, déconnectez-vous partout et prévenez l’administrateur du site.",
  mailTestSubject: "Les e-mails de {site} fonctionnent",
  mailTest: "Ceci est un test. L’opérateur de {site} l’a envoyé depuis le terminal, et il est bien arrivé.",
  "account.missing": "Aucun compte ne s’appelle {name}.",
  "account.still-owns-repositories": "Des dépôts appartiennent encore à ce compte.",
  "account.password-short": "Le mot de passe doit comporter au moins {min} caractères.",
  "account.password-too-short": "Le mot de passe doit comporter au moins {min} caractères.",
  signInWith: "Se connecter avec {name}",
  "account.password-elsewhere": "Le mot de passe de ce compte est géré par sa source de connexion.",
  "account.name-elsewhere": "Le nom de ce compte est géré par sa source de connexion.",
  "account.password-form-off": "Les mots de passe ne sont pas acceptés ici.",
  "account.openid-off": "OpenID 2 n’est pas proposé ici.",
  "account.password-wrong": "Ce mot de passe est incorrect.",
  "account.no-password-for-kind": "Seuls les comptes de personnes ont un mot de passe.",

  passcodeOrRecovery: "Code à usage unique ou code de récupération",
  isRecoveryCode: "C’est un code de récupération",
  rememberStolen:
    "Quelqu’un a utilisé une copie du cookie qui vous gardait connecté. Cet appareil a été déconnecté ; reconnectez-vous et consultez votre journal de sécurité.",
};
