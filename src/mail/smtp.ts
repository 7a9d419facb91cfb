import { readFileSync } from "node:fs";
import { headersOf, type MailMessage } from "./message.ts";

/** The outgoing mail server. The password is read when a mail is sent, and is in no log, error or response. */
export interface SmtpServer {
  readonly host: string;
  /** 0: the default for `security`. */
  readonly port: number;
  readonly security: "none" | "starttls" | "tls";
  readonly user: string;
  readonly password: string;
  readonly passwordFile: string;
  readonly from: string;
  readonly replyTo: string;
  readonly helo: string;
}

/** The mail server refused, or could not be reached. `isFinal`: retrying is useless (an SMTP reply from 500 on). */
export class MailRefused extends Error {
  override name = "MailRefused";
  constructor(
    message: string,
    readonly isFinal: boolean,
  ) {
    super(message);
  }
}

const PORTS = { none: 25, starttls: 587, tls: 465 } as const;
const CONNECT_MS = 10_000;
const SILENT_MS = 30_000;

/**
 * Sends one mail to the mail server. The only module that knows nodemailer.
 * @returns the server's response
 * @throws MailRefused
 */
export async function sendBySmtp(server: SmtpServer, message: MailMessage): Promise<string> {
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    host: server.host,
    port: server.port || PORTS[server.security],
    secure: server.security === "tls",
    requireTLS: server.security === "starttls",
    ignoreTLS: server.security === "none",
    name: server.helo,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENT_MS,
    // Our mails never reference files or addresses to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(server.user ? { auth: { user: server.user, pass: passwordOf(server) } } : {}),
  });
  try {
    const sent = await transport.sendMail({
      from: message.fromName ? { name: message.fromName, address: addressOf(server.from) } : server.from,
      to: { name: "", address: message.to },
      ...(server.replyTo ? { replyTo: server.replyTo } : {}),
      subject: message.subject,
      text: message.text,
      html: message.html,
      messageId: message.messageId,
      headers: headersOf(message),
    });
    return sent.response;
  } catch (error) {
    throw refusalOf(error, server);
  } finally {
    transport.close();
  }
}

/** Only the address in `Name <address>`. */
const addressOf = (from: string) => /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from;

/** @throws MailRefused the file cannot be read */
function passwordOf(server: SmtpServer): string {
  if (server.passwordFile === "") return server.password;
  try {
    return readFileSync(server.passwordFile, "utf8").split(/\r?\n/, 1)[0] ?? "";
  } catch {
    throw new MailRefused("the file of mail.password_file cannot be read", false);
  }
}

function refusalOf(error: unknown, server: SmtpServer): MailRefused {
  if (error instanceof MailRefused) return error;
  const said = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "responseCode" in error ? Number(error.responseCode) : 0;
  // The operator can fix wrong credentials, so the mail is retried.
  const isCredentials = error instanceof Error && "code" in error && error.code === "EAUTH";
  const secrets = [server.password, server.password && Buffer.from(server.password).toString("base64")];
  const text = secrets.reduce((line, secret) => (secret ? line.replaceAll(secret, "…") : line), said);
  return new MailRefused(text.slice(0, 500), code >= 500 && !isCredentials);
}
