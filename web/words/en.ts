import type { Messages } from "../../src/language/catalogue.ts";

/** The frame of every page, the parts pages are made of, and what forms say when something is refused. */
export const en = {
  language: "Language",
  languageApply: "Change language",

  required: "This is required.",
  tooLong: { one: "At most {count} character.", other: "At most {count} characters." },
  passwordsDiffer: "The two passwords are not the same.",
  refused: "This was refused.",

  addressInUse: "This address is in use already.",
  addressInvalid: "This is not an e-mail address.",
  branchExists: "There is a branch of that name already.",
  branchMoved: "Someone else committed to the branch just now. Send it again.",
  directoryExists: "There is a directory of that name.",
  fileChanged: "Someone changed this file since you opened it. Copy your text and look at it first.",
  fileExists: "There is a file of that name already.",
  lastAdministrator: "The last administrator must stay.",
  nameBadCharacters: "Use letters, digits, dash, dot and underscore.",
  nameBadEnd: "A name may not end like this.",
  nameInvalid: "Use letters, digits, dash, dot and underscore, and start and end with a letter or digit.",
  nameReserved: "This name is reserved.",
  nameTaken: "This name is taken.",
  notForGit: "This is not a name git accepts.",
  ownAccount: "You cannot delete your own account here.",
  pathInvalid: "This is not a path git accepts.",
  repositoryExists: "There is a repository of that name already.",
  stillOwnsRepositories: "It still owns repositories. Delete them with it, or transfer them first.",
  symbolicLinkExists: "There is a symbolic link of that name.",
  textTooLong: "This is too long.",
  tokenExists: "A token of that name exists already.",
  tokenWithoutScope: "Choose at least one permission.",
  websiteInvalid: "This is not a web address.",
} as const satisfies Messages;
