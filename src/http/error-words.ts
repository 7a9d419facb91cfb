import type { Failure, FailureParams } from "../kernel/errors.ts";

/**
 * API messages by code. Clients match on them, so they never change. A function if the message has parameters; empty if
 * the response has no body.
 */
export type ErrorWords = Readonly<Record<string, string | ((params: FailureParams) => string)>>;

/** Messages for the codes of the HTTP layer itself; each area adds its own in `error-words.ts`. */
export const frameErrorWords: ErrorWords = {
  "access.sign-in-required": "token is required",
  "access.site-closed": "Only signed in user is allowed to call APIs.",
  "access.not-for-jobs": "the token of a job reaches repositories only",
  "access.site-admin-required": "user should be the site admin",
  "access.sudo-refused": "Only administrators allowed to sudo.",
  "access.sudo-unknown": "not found",
  "access.password-change-required": ({ rootUrl }) =>
    `You must change your password. Change it at: ${rootUrl}user/change_password`,
  "access.two-factor-required": "two-factor authentication is required",
  "access.account-not-activated": "This account is not activated.",
  "access.account-disabled": "This account is prohibited from signing in, please contact your site administrator.",
  "access.basic-required": "auth required",
  "access.public-only-refused": "this endpoint is not available for public-only tokens",
  "access.cross-origin": "cross-origin request refused",
  "access.scope-missing": ({ required, held }) =>
    `token does not have at least one of required scope(s), required=[${required}], token scope=${held}`,
  "form.too-large": ({ maxBytes }) => `the form, or a file of it, is larger than ${maxBytes} bytes`,
  "form.too-many-files": ({ maxFiles }) => `the form has more than ${maxFiles} files`,
  "form.too-many-parts": ({ max }) => `the form has more than ${max} parts`,
  "list.bad-parameter": ({ what, given }) => `Invalid ${what}: ${given}`,
  "mail.header-invalid": "a header of the mail is invalid",
  "mail.not-configured": "this server sends no mail",
  "not-found": "not found",
  "request.access-changed": "what you may do here was changed meanwhile, try again",
  "request.body-memory-full": "the server has no memory for this body now, try again later",
  "request.body-not-utf8": "[]: the body is not UTF-8",
  "request.body-too-large": ({ limit }) => `the body is larger than ${limit} bytes`,
  "request.body-too-slow": "the body came too slowly",
  "request.body-undecodable": "[]: the body is not in the encoding it claims",
  "request.body-unreadable": "[]: the body could not be read",
  "request.deleted-meanwhile": "what this was about has been deleted meanwhile; nothing was changed",
  "request.json-invalid": "[]: the body is not valid JSON",
  "request.json-no-object": "[]: the body must be a JSON object",
  "request.json-not-unicode": "[]: the body is not valid Unicode",
  "request.json-too-deep": "[]: the body is nested too deeply",
  "request.json-too-many-values": "[]: the body has too many values",
  "request.too-many-fields": ({ limit }) => `[]: the form has more than ${limit} fields`,
  "server.job-timed-out": "this took too long to compute, try again later",
  "request.no-content-type": "[]: Empty Content-Type",
  "request.unknown-content-type": "[]: Unsupported Content-Type",
  "request.client-gone": "the client went away",
  "form.unreadable": "[]: the form could not be read",
  "form.file-without-name": "[]: a file has no name",
  "value.wrong-type": ({ name, type }) => `[]: ${name} must be ${type}`,
  "request.rate-limited": "too many requests, try again later",
  "server.busy": "the server is busy, try again later",
  "storage.repository-missing":
    "the files of this repository are not on the server's disk; its administrator has to bring them back",
  "storage.repository-damaged":
    "some of what this repository stores is missing or damaged on the server's disk; its administrator can find out what with 'hearth doctor --deep'",
  "storage.upload-damaged":
    "this file is missing or damaged on the server's disk; its administrator can find out more with 'hearth doctor --deep'",
  "storage.denied":
    "the server may not use a file of its own data folder; its administrator has to set its owner and rights",
  "server.writes-stopped":
    "the server's disk failed; nothing is written until its operator has looked at it and restarted Hearth",
  "name.malformed": ({ name }) =>
    `name is invalid [${name}]: must be valid alpha or numeric or dash(-_) or dot characters`,
  "name.reserved": ({ name }) => `name is reserved [name: ${name}]`,
  "name.reserved-ending": ({ suffix }) => `name pattern is not allowed [pattern: *${suffix}]`,
  "email.malformed": ({ email }) => `e-mail invalid [email: ${email}]`,
  "email.unsupported-character": ({ email }) => `e-mail address contains unsupported character [email: ${email}]`,
  "request.malformed-path": "malformed path",
  "value.bad-time": ({ name, given }) => `${name} is not a time of RFC 3339: ${given}`,
  "value.required": ({ name }) => `[${name}]: Required`,
  "value.too-long": ({ name }) => `[${name}]: MaxSize`,
  "value.too-short": ({ name }) => `[${name}]: MinSize`,
  "value.not-allowed": ({ name }) => `[${name}]: In`,
  "value.not-a-ref-name": ({ name }) => `[${name}]: GitRefName`,
  "value.not-a-name": ({ name }) => `[${name}]: AlphaDashDot`,
  "value.not-an-account-name": ({ name }) => `[${name}]: invalid username`,
  "value.not-a-url": ({ name }) => `[${name}]: Url`,
  "value.not-an-address": ({ name }) => `[${name}]: Email`,
  "request.digest-mismatch": "the body is not the one whose digest was sent",
  "request.text-not-utf8": "[]: the text is not UTF-8",
};

/** API messages for every code, from the tables of all areas. */
export class ErrorMessages {
  constructor(private readonly tables: readonly ErrorWords[]) {}

  has(code: string): boolean {
    return this.wordsOf(code) !== undefined;
  }

  /** Returns the `message` of the API response. */
  of(failure: Failure): string {
    const words = this.wordsOf(failure.code) ?? failure.code;
    return typeof words === "string" ? words : words(failure.params);
  }

  private wordsOf(code: string): ErrorWords[string] | undefined {
    return this.tables.find((table) => Object.hasOwn(table, code))?.[code];
  }
}
