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
} as const satisfies Messages;
