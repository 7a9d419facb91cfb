import { BadRequest } from "../kernel/errors.ts";

/** One mail to one person (security rule C7: addresses never see each other). */
export interface MailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** `<local@host>`; the same at every try, so that a mail sent twice is seen as one. */
  readonly messageId: string;
  /** Message ids of the thread, the first one first; the last is what this answers. */
  readonly references?: readonly string[];
  /** Whose words it brings, beside the site's own address; empty: no one's. */
  readonly fromName?: string;
  /** The list it is of (RFC 2919). */
  readonly list?: MailList;
  /** Further headers, for filters. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Stands in List-Unsubscribe: a page or a mail address by which the reader ends such mails. */
  readonly unsubscribe?: string;
}

export interface MailList {
  readonly name: string;
  /** With dots, unique in the world. */
  readonly id: string;
}

/** The message's own headers, besides From, To, Subject and Date. */
export function headersOf(message: MailMessage): Record<string, string> {
  const answered = message.references?.at(-1);
  return {
    // RFC 3834: no one's holiday notice answers this.
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
 * Refuses what would end a header and begin another.
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
