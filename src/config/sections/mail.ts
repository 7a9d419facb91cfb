import type { Setting } from "../setting.ts";

const mailHost = (value: string): string | undefined =>
  value === "" || /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$|^\[?[0-9a-fA-F:.]+\]?$/.test(value)
    ? undefined
    : "must be a host name or address";

const mailbox = (value: string): string | undefined =>
  value === "" || /^(?:[^<>@\p{Cc}]* <)?[^\s<>@"]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?>?$/u.test(value)
    ? undefined
    : "must be an e-mail address, or a name with the address in angle brackets";

const _address = (value: string): string | undefined =>
  value === "" || /^[^\s<>@"]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(value)
    ? undefined
    : "must be an e-mail address";

/** Mails that the server sends. */
export const mailSettings = {
  "mail.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Send mail. Has no effect unless `mail.host` and `mail.from` are set.",
  },
  "mail.host": {
    type: { kind: "text", check: mailHost },
    standard: "",
    doc: "The SMTP server that delivers Hearth's mail. Empty: Hearth sends no mail.",
  },
  "mail.port": {
    type: { kind: "number", least: 0, most: 65535 },
    standard: 0,
    doc: "The port of the mail server. 0: the usual one for `mail.security` (25, 587 or 465).",
  },
  "mail.security": {
    type: { kind: "choice", of: ["none", "starttls", "tls"] },
    standard: "starttls",
    doc: "How the connection to the mail server is protected: not at all, by STARTTLS (mandatory, never skipped), or by TLS from the start.",
  },
  "mail.user": {
    type: { kind: "text" },
    standard: "",
    doc: "The user name at the mail server. Empty: sign-in is not needed.",
  },
  "mail.password": { type: { kind: "text" }, standard: "", secret: true, doc: "The password for `mail.user`." },
  "mail.password_file": {
    type: { kind: "text" },
    standard: "",
    doc: "A file whose first line is that password, instead of `mail.password`.",
  },
  "mail.from": {
    type: { kind: "text", check: mailbox },
    standard: "",
    doc: "The sender of mails: `git@example.org` or `Hearth <git@example.org>`.",
  },
  "mail.reply_to": {
    type: { kind: "text", check: mailbox },
    standard: "",
    doc: "Where replies to mails go. Empty: to the sender.",
  },
  "mail.helo": {
    type: { kind: "text", check: mailHost },
    standard: "",
    doc: "The name Hearth introduces itself with to the mail server. Empty: the host of `root_url`.",
  },
  "mail.confirm_addresses": {
    type: { kind: "flag" },
    standard: false,
    doc: "Require people to confirm e-mail addresses by following a link. Until then a newly registered account cannot be used and an added address does not count. If the server sends no mail, an administrator has to confirm them.",
  },
} as const satisfies Record<string, Setting>;
