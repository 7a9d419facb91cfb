import { BadRequest } from "../kernel/errors.ts";

/** One mail to one person (security rule C7: addresses never see each other). */
export interface MailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** `<local@host>`; the same for every attempt, so that a mail sent twice is recognized as one. */
  readonly messageId: string;
  /** Message ids of the thread, first one first; the last is the one replied to. */
  readonly references?: readonly string[];
  /** The display name of its author, with the site's address; empty: none. */
  readonly fromName?: string;
  /** Its list (RFC 2919). */
  readonly list?: MailList;
  /** Further headers, for filters. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For List-Unsubscribe: a page or a mail address for ending such mails. */
  readonly unsubscribe?: string;
}

export interface MailList {
  readonly name: string;
  /** Dotted and globally unique. */
  readonly id: string;
}

/** The message's own headers, besides From, To, Subject and Date. */
export function headersOf(message: MailMessage): Record<string, string> {
  const answered = message.references?.at(-1);
  return {
    // RFC 3834: prevents automatic replies.
    "Auto-Submitted": "auto-generated",
    "X-Auto-Response-Suppress": "All",
    ...(answered ? { "In-Reply-To": answered, References: (message.references ?? []).join(" ") } : {}),
    ...(message.list ? { "List-ID": `${message.list.name} <${message.list.id}>` } : {}),
    ...message.headers,
    ...(message.unsubscribe ? { "List-Unsubscribe": `<${message.unsubscribe}>` } : {}),
  };
}

const CONTROL = /\p{Cc}/u;
const MESSAGE_ID = /^<[^\s<>@]+@[^\s<>@]+>$/;

/**
 * Refuses values that would inject another header.
 * @throws BadRequest `mail.header-invalid`, its field the header's name
 */
export function checkHeaders(message: MailMessage): void {
  const refuse = (field: string) => new BadRequest("mail.header-invalid", { field });
  if (CONTROL.test(message.to) || /[\s,;<>()"]/.test(message.to) || !message.to.includes("@")) throw refuse("to");
  if (CONTROL.test(message.subject) || message.subject.length > 998) throw refuse("subject");
  if (!MESSAGE_ID.test(message.messageId)) throw refuse("messageId");
  if (message.references?.some((id) => !MESSAGE_ID.test(id))) throw refuse("references");
  if (message.fromName && (CONTROL.test(message.fromName) || message.fromName.length > 500)) throw refuse("fromName");
  if (message.list && (CONTROL.test(message.list.name) || /[\s<>\p{Cc}]/u.test(message.list.id))) throw refuse("list");
  for (const [name, value] of Object.entries(message.headers ?? {}))
    if (!/^[A-Za-z0-9-]+$/.test(name) || CONTROL.test(value) || value.length > 900) throw refuse(name);
  if (message.unsubscribe !== undefined && /[\s<>\p{Cc}]/u.test(message.unsubscribe)) throw refuse("unsubscribe");
}
