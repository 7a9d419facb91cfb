import { operator } from "../access/principal.ts";
import type { User } from "../access/user.ts";
import type { Database } from "../db/database.ts";
import type { IdentityService } from "../identity/service.ts";
import { BadRequest, ValidationFailed } from "../kernel/errors.ts";
import type { MailService } from "../mail/service.ts";

export interface AnnouncementParts {
  readonly db: Database;
  readonly identity: IdentityService;
  readonly mail: MailService;
}

const KIND = "site.announcement";
const MAX_SUBJECT = 250;
const MAX_TEXT = 10_000;

/** Mails from the operator to everyone who may sign in. */
export class Announcements {
  constructor(private readonly parts: AnnouncementParts) {
    const { identity, mail } = parts;
    mail.compose(KIND, ({ subject, text, user: id }) => {
      const user = identity.byId(Number(id));
      if (!user?.isActive || user.prohibitLogin) return undefined;
      const paragraphs = String(text).split(/\n\s*\n/);
      const blocks = paragraphs.map((paragraph) => ({ kind: "paragraph" as const, text: paragraph.trim() }));
      return { to: user.email, content: { subject: String(subject), blocks } };
    });
  }

  /** The recipients of a mail. */
  readers(): User[] {
    const { identity } = this.parts;
    const filter = { kinds: ["individual" as const], text: "", isActive: true, prohibitLogin: false };
    const everyone = { page: 1, limit: Number.MAX_SAFE_INTEGER, offset: 0 };
    return identity.list(operator, filter, { by: "id", descending: false }, everyone).items;
  }

  /**
   * @param text paragraphs separated by empty lines
   * @returns the number of recipients
   * @throws BadRequest mail is not configured; ValidationFailed
   */
  send(subject: string, text: string): number {
    const { db, mail } = this.parts;
    if (!mail.isConfigured) throw new BadRequest("mail.not-configured");
    if (/[\r\n]/.test(subject)) throw new ValidationFailed("mail.header-invalid");
    if (subject.length > MAX_SUBJECT) throw new ValidationFailed("value.too-long", { params: { name: "title" } });
    if (text.length > MAX_TEXT) throw new ValidationFailed("value.too-long", { params: { name: "content" } });
    return db.transaction(() => {
      const readers = this.readers();
      for (const { id } of readers) mail.enqueue(KIND, { user: id, subject, text });
      return readers.length;
    });
  }
}
