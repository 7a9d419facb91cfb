import type SMTPConnection from "nodemailer/lib/smtp-connection";
import { Failure } from "../../kernel/errors.ts";
import { isLoopbackIp, parseIp } from "../../kernel/ip.ts";
import type { Log } from "../../kernel/log.ts";
import { Semaphore } from "../../kernel/semaphore.ts";
import type { OutboundClient } from "../../outbound/client.ts";
import type { OutsideIdentity, SmtpSource } from "../types.ts";

const CONNECT_MS = 10_000;
const SILENT_MS = 20_000;

/** Concurrent sign-ins at one mail server, and the number that may queue. */
const AT_A_TIME = 8;
const MAX_WAITING = 200;

/** Checks passwords at mail servers: everyone who may send mail there is admitted here. */
export class MailServers {
  private readonly turns = new Semaphore(AT_A_TIME, MAX_WAITING);

  constructor(
    private readonly outbound: OutboundClient,
    private readonly log: Log,
  ) {}

  /**
   * The person the mail server accepts by that name and password; undefined if refused there, or not admitted here.
   * @throws Failure 503 `source.unreachable`; Overloaded
   */
  async signIn(
    source: SmtpSource,
    name: string,
    password: string,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<OutsideIdentity | undefined> {
    // A NUL ends the name in AUTH PLAIN (RFC 4616): the rest would be taken for the password.
    if (password === "" || name === "" || name.length > 254 || /\p{Cc}/u.test(name) || password.includes("\0"))
      return undefined;
    if (!isAllowed(source, name)) return undefined;
    const leave = await this.turns.enter(source.id, signal);
    try {
      return (await this.takes(source, name, password)) ? identityOf(name) : undefined;
    } catch (error) {
      if (error instanceof Failure) throw error;
      this.log.warn("a sign-in source did not do its part", { source: source.name, error });
      throw new Failure(503, "source.unreachable");
    } finally {
      leave();
    }
  }

  /** Tries the addresses in turn until one answers. @throws what the library or the network policy throws */
  private async takes(source: SmtpSource, name: string, password: string): Promise<boolean> {
    const host = source.settings.host.replace(/^\[|\]$/g, "");
    const [addresses, { default: Connection }] = await Promise.all([
      this.outbound.addressesOf(host),
      import("nodemailer/lib/smtp-connection"),
    ]);
    let problem: unknown;
    for (const address of addresses) {
      const connection = new Connection(optionsOf(source, host, address));
      // Errors after the answer, while disconnecting, do not matter; without a listener they would be thrown.
      connection.on("error", () => {});
      try {
        await step(connection, (done) => connection.connect(done));
      } catch (error) {
        connection.close();
        problem = error;
        continue;
      }
      try {
        const auth = { user: name, pass: password, method: source.settings.authType };
        await step(connection, (done) => connection.login(auth, done));
        return true;
      } catch (error) {
        if (isRefusal(error)) return false;
        throw error;
      } finally {
        connection.quit();
      }
    }
    throw problem;
  }
}

function optionsOf({ settings }: SmtpSource, host: string, address: string) {
  const ip = parseIp(address);
  return {
    host: address,
    port: settings.port,
    secure: settings.forcesTls,
    // Passwords are sent to other machines over TLS only.
    requireTLS: !settings.forcesTls && !(ip && isLoopbackIp(ip)),
    name: settings.hidesName ? "localhost" : settings.heloName || undefined,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENT_MS,
    // Connects to an address the network policy checked; the certificate is for the name.
    ...(parseIp(host) ? {} : { servername: host }),
    tls: { rejectUnauthorized: !settings.skipsVerification },
  };
}

/** One exchange with the server. The library reports errors by the event as well as by the callback. */
function step(connection: SMTPConnection, begin: (done: (error?: unknown) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.once("error", reject);
    begin((error) => {
      connection.off("error", reject);
      if (error) reject(error);
      else resolve();
    });
  });
}

/** Whether the server rejected the credentials (RFC 4954 section 6), rather than failed. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof Error && "responseCode" in error && (error.responseCode === 535 || error.responseCode === 534)
  );
}

/** With allowed domains, only addresses in these. */
function isAllowed({ settings }: SmtpSource, name: string): boolean {
  const domains = settings.allowedDomains.split(/[\s,]+/).filter((each) => each !== "");
  if (domains.length === 0) return true;
  const at = name.lastIndexOf("@");
  return at > 0 && domains.some((each) => each.toLowerCase() === name.slice(at + 1).toLowerCase());
}

function identityOf(name: string): OutsideIdentity {
  const at = name.lastIndexOf("@");
  return {
    issuer: "",
    subject: name.toLowerCase(),
    name: at > 0 ? name.slice(0, at) : name,
    fullName: "",
    email: at > 0 ? name : "",
    // Whoever can sign in to the mailbox reads its mail.
    isEmailProven: true,
    pictureUrl: "",
    picture: undefined,
    groups: undefined,
    isAdmin: undefined,
    isRestricted: undefined,
    sshKeys: undefined,
  };
}
