import type { Messages } from "../../../src/language/catalogue.ts";

export const en = {
  signIn: "Sign in",
  nameOrEmail: "User name or e-mail address",
  password: "Password",
  staySignedIn: "Stay signed in on this device",
  newHere: "New here? <link>Create an account</link>",
  /** The same for every failure: no one learns which names exist. */
  wrongCredentials: "Username or password is incorrect.",
  prohibited: "This account is prohibited from signing in. Please contact the site's administrator.",
  inactive: "This account is not activated. Please contact the site's administrator.",
  tooManyAttempts: {
    one: "Too many attempts. Try again in {count} second.",
    other: "Too many attempts. Try again in {count} seconds.",
  },

  signOut: "Sign out",
  signOutQuestion: "Sign out?",
  signedInAs: "You are signed in as {name}.",
  stayHere: "Stay signed in",

  register: "Register",
  createAnAccount: "Create an account",
  createAccount: "Create account",
  registrationClosed: "Registration is disabled on this site. Ask its administrator for an account.",
  haveAccount: "Already have an account? <link>Sign in</link>",
  accountCreated: "Your account was created.",

  userName: "User name",
  userNameHint: "Letters, digits, dash, dot and underscore. It is part of your addresses.",
  email: "E-mail address",
  passwordAgain: "Password again",
  passwordHint: {
    one: "At least {count} character. A long one you can remember beats a short one full of signs.",
    other: "At least {count} characters. A long one you can remember beats a short one full of signs.",
  },

  setUp: "Set up",
  setUpTitle: "Light the hearth",
  setUpLead: "This server is new. Create its first account; it will be the administrator.",
  setUpToken: "Set-up token",
  setUpTokenHint: "The server wrote it to its console when it started. It proves that this server is yours.",
  setUpTokenWrong: "This is not the set-up token of this server. Take the whole link from its console or log.",
  createAdministrator: "Create administrator",
  welcome: "Welcome. {name} is the administrator of this site.",

  changePassword: "Change password",
  newPasswordTitle: "Choose a new password",
  newPasswordLead: "Someone else knows the present one. Choose your own before you go on.",
  setPassword: "Set password",
  samePassword: "Choose one that is not the present password.",
  passwordChanged: "Your password was changed.",

  forgottenPassword: "Forgotten your password?",
  forgottenTitle: "Forgotten password",
  forgottenLead: "A mail with a link for a new password goes to your address.",
  sendMail: "Send the mail",
  sendAgain: "Send the mail again",
  lookIntoMail: "Look into your mail",
  mailSent:
    "If an account of this site has this address, a mail with a link is on its way to it. Look among the unwanted mail, too. Another can be sent in three minutes.",
  noMailForPassword: "This site sends no mail. Its administrator can set a new password for you.",
  noMailToActivate: "This site sends no mail. Its administrator can activate your account.",
  tooManyRequests: {
    one: "Too many requests. Try again in {count} second.",
    other: "Too many requests. Try again in {count} seconds.",
  },
  deadLinkTitle: "This link does not work any more",
  deadLink: "The link was used already, has expired, or is not complete. Ask for a new one.",
  newLink: "Ask for a new link",
  yourAddresses: "Your addresses",
  recoverTitle: "Set a new password",
  recoverLead: "For the account {name}. All its sessions end.",
  recovered: "Your new password is set, and all your other sessions ended.",
  activateTitle: "Activate your account",
  activateLead: "Enter the password that you chose for {name}.",
  activateAgainLead:
    "Your account waits until you open the link in the mail that was sent to you. It can be sent again.",
  activate: "Activate",
  activated: "Welcome, {name}. Your account is active.",
  activationSent:
    "A mail with a link is on its way to {email}. Open the link to activate {name}; it works for three hours.",
  waitsForAdministrator:
    "The account {name} was created. It can be used once the site's administrator has activated it.",
  passwordWrong: "The password is incorrect.",
  confirmTitle: "Confirm your address",
  confirmQuestion: "{email} becomes a confirmed address of {name}. Commits with it will be shown as yours.",
  confirm: "Confirm",
  notNow: "Not now",
  addressConfirmed: "The address {email} is confirmed.",

  mailActivateSubject: "Activate your account at {site}",
  mailActivate: "Someone, hopefully you, registered the account {name} at {site} with this address.",
  mailActivateAction: "Activate the account",
  mailActivateNote:
    "The link works once, for {minutes} minutes. If it was not you, ignore this mail: without the link the account stays unused.",
  mailConfirmSubject: "Confirm your address at {site}",
  mailConfirm: "The account {name} at {site} added this address as one of its own. Confirm it if the account is yours.",
  mailConfirmAction: "Confirm the address",
  mailConfirmNote:
    "The link works once, for {minutes} minutes, and only for someone signed in as {name}. If it was not you, ignore this mail.",
  mailResetSubject: "Set a new password at {site}",
  mailReset: "Someone, hopefully you, asked for a new password for the account {name} at {site}.",
  mailResetAction: "Set a new password",
  mailResetNote:
    "The link works once, for {minutes} minutes. If it was not you, ignore this mail: the password stays as it is.",
  mailTestSubject: "Mail from {site} works",
  mailTest: "This is a test. The operator of {site} sent it from the terminal, and it arrived.",
  "account.missing": "There is no account named {name}.",
  "account.still-owns-repositories": "This account still owns repositories.",
  "account.password-short": "The password needs at least {min} characters.",
  "account.password-too-short": "The password needs at least {min} characters.",
  "account.password-wrong": "This password is not right.",
  "account.no-password-for-kind": "Only accounts of people have a password.",

  passcodeOrRecovery: "Passcode or recovery code",
  isRecoveryCode: "It is a recovery code",
  rememberStolen:
    "Someone used a copy of the cookie that kept you signed in. That device was signed out; sign in again, and look at your security log.",
} as const satisfies Messages;
