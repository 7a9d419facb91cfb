import type { ErrorWords } from "../http/error-words.ts";

/** The messages for refusals about sign-in sources, for the API and the command line. */
export const sourceErrorWords: ErrorWords = {
  "source.missing": "there is no such authentication source",
  "source.name-taken": ({ name }) => `login source already exists [name: ${name}]`,
  "source.bad-name": "the name must not have any of / \\ ? # %",
  "source.required": "this is required",
  "source.unknown-provider": "there is no such provider",
  "source.bad-value": "this value cannot be used",
  "source.bad-address": "must be an http or https address without user and fragment",
  "source.bad-icon": "must be an https address",
  "source.bad-filter": "is not a filter as RFC 4515 has it",
  "source.bad-team-map": 'must be JSON such as {"group": {"organization": ["team"]}}',
  "source.in-use": "the source is used by accounts; it can be deactivated",
  "source.unreachable": "the sign-in source cannot be reached, try again later",
  "source.refused": "the sign-in source did not confirm who you are",
  "source.not-admitted": "the sign-in source does not let you in here",
  "source.no-account": "there is no account here for you",
  "source.linked-elsewhere": "that account signs in another account here",
  "source.last-way-in": "without it the account could not be signed in to",
};
