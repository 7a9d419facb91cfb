import type { JobQueue } from "../jobs/queue.ts";
import { BadRequest, Failure } from "../kernel/errors.ts";
import { randomHex } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { MailContent, MailParts } from "./content.ts";
import { checkHeaders, type MailList, type MailMessage } from "./message.ts";
import { MailRefused, type SmtpServer, sendBySmtp } from "./smtp.ts";

export type MailParams = Readonly<Record<string, string | number>>;

/** The components of one mail, built when it is sent. */
export interface ComposedMail {
  readonly to: string;
  readonly content: MailContent;
  readonly references?: readonly string[];
  readonly unsubscribe?: string;
  readonly fromName?: string;
  readonly list?: MailList;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Composes the mail when it is sent; undefined if there is no longer a reason for it. */
export type MailComposer = (params: MailParams) => ComposedMail | undefined | Promise<ComposedMail | undefined>;

/** Renders the two parts of a mail; implemented by the pages' side (web/mail). */
export type MailRenderer = (content: MailContent) => Promise<MailParts>;

export interface MailOptions {
  readonly enabled: boolean;
  readonly server: SmtpServer;
}

interface SendPayload {
  readonly kind: string;
  readonly params: MailParams;
  readonly messageId: string;
}

const SEND = "mail.send";

/** A stored job, possibly of an older version. @throws TypeError it has another shape */
function sendPayload(stored: unknown): SendPayload {
  const { kind, params, messageId } = (stored ?? {}) as Partial<Record<keyof SendPayload, unknown>>;
  if (typeof kind !== "string" || typeof messageId !== "string" || typeof params !== "object" || params === null)
    throw new TypeError("this is not a mail to send");
  return { kind, messageId, params: params as MailParams };
}

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** Composes one mail and sends it to the mail server. */
    "mail.send": SendPayload;
  }
}

/**
 * Mail to people. Areas register the kinds of mail they send and enqueue them in the transaction that causes them;
 * the job composes the mail when it is sent. So the queue holds ids and no text, link or secret, and a mail whose
 * reason no longer applies is not sent.
 */
export class MailService {
  private readonly composers = new Map<string, MailComposer>();

  constructor(
    private readonly jobs: JobQueue,
    private readonly log: Log,
    private readonly render: MailRenderer,
    private readonly options: MailOptions,
  ) {
    jobs.handle(SEND, {
      parse: sendPayload,
      run: (payload) => this.deliver(payload),
      concurrency: 2,
      timeLimitMs: 120_000,
    });
  }

  /** Whether this server sends mail at all; otherwise pages say who can help instead. */
  get isConfigured(): boolean {
    const { enabled, server } = this.options;
    return enabled && server.host !== "" && server.from !== "";
  }

  /** Registers a kind of mail. @throws Error registered twice */
  compose(kind: string, composer: MailComposer): void {
    if (this.composers.has(kind)) throw new Error(`two areas compose mails of kind ${kind}`);
    this.composers.set(kind, composer);
  }

  /** Sends a mail of that kind once the running transaction is durable. Does nothing if mail is not configured. */
  enqueue(kind: string, params: MailParams, options: { messageId?: string } = {}): void {
    if (!this.composers.has(kind)) throw new Error(`no one composes mails of kind ${kind}`);
    if (!this.isConfigured) return;
    this.jobs.enqueue(SEND, { kind, params, messageId: options.messageId ?? this.newMessageId() });
  }

  /**
   * Sends one mail at once, for an operator testing the configuration.
   * @returns the mail server's response
   * @throws BadRequest mail is not configured, or the address is invalid; MailRefused
   */
  async sendNow(to: string, content: MailContent): Promise<string> {
    if (!this.isConfigured) throw new BadRequest("mail.not-configured");
    return this.send({ to, content }, this.newMessageId());
  }

  private async deliver({ kind, params, messageId }: SendPayload): Promise<void> {
    const composer = this.composers.get(kind);
    if (!composer || !this.isConfigured) {
      this.log.warn("a mail was not sent: mail is not configured for it", { kind });
      return;
    }
    const mail = await composer(params);
    if (!mail) return;
    try {
      await this.send(mail, messageId);
    } catch (error) {
      const isFinal = error instanceof MailRefused ? error.isFinal : error instanceof Failure;
      if (!isFinal) throw error;
      // A retry would be refused again and only fill the server's log.
      this.log.error("a mail was refused for good", { kind, error });
    }
  }

  private async send(mail: ComposedMail, messageId: string): Promise<string> {
    const { content, ...envelope } = mail;
    const message: MailMessage = { ...envelope, messageId, ...(await this.render(content)) };
    checkHeaders(message);
    return sendBySmtp(this.options.server, message);
  }

  private newMessageId(): string {
    return `<${randomHex(16)}@${this.options.server.helo}>`;
  }
}
