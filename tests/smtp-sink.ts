import type { Socket } from "bun";

/** A small mail server for tests (RFC 5321 without TLS): takes what it is sent, shows it, and refuses on demand. */

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers by lower-case name, unfolded. */
  readonly headers: ReadonlyMap<string, string>;
  /** As it came, headers included. */
  readonly raw: string;
  /** The plain-text and the HTML part, decoded. */
  readonly text: string;
  readonly html: string;
}

export interface SmtpSink {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** User and password of each sign-in, as they were given. */
  readonly signIns: readonly string[];
  /** The next mails are answered so at their recipient: `550 5.1.1 no such user`. Undefined: taken again. */
  refuseWith(answer: string | undefined): void;
  /** Resolves with the mail of that index as soon as it is there. */
  mail(index: number): Promise<ReceivedMail>;
  close(): void;
}

interface Talk {
  buffer: string;
  from: string;
  to: string[];
  inData: boolean;
}

/** The settings of a server that hands its mails to a sink. */
export const mailsTo = ({ port }: Pick<SmtpSink, "port">) =>
  ({
    "mail.host": "127.0.0.1",
    "mail.port": port,
    "mail.security": "none",
    "mail.from": "Hearth <git@example.org>",
  }) as const;

/** @param account the only one that may send; absent: everyone may */
export function anSmtpSink(account?: { user: string; password: string }): SmtpSink {
  const mails: ReceivedMail[] = [];
  const signIns: string[] = [];
  const waiting = new Map<number, (mail: ReceivedMail) => void>();
  let refusal: string | undefined;

  const take = (talk: Talk, raw: string) => {
    const mail = parsed(raw, talk.from, talk.to);
    mails.push(mail);
    waiting.get(mails.length - 1)?.(mail);
  };
  const command = (socket: Socket<Talk>, line: string) => {
    const say = (text: string) => socket.write(`${text}\r\n`);
    const { data: talk } = socket;
    const [verb = ""] = line.toUpperCase().split(/[ :]/);
    if (verb === "EHLO") return say(account ? "250-sink\r\n250 AUTH PLAIN" : "250 sink");
    if (verb === "HELO" || verb === "RSET" || verb === "NOOP") return say("250 ok");
    if (verb === "AUTH") {
      const given = Buffer.from(line.split(" ")[2] ?? "", "base64").toString("utf8");
      signIns.push(given.slice(1).replace("\0", ":"));
      return say(given === `\0${account?.user}\0${account?.password}` ? "235 in" : "535 5.7.8 wrong credentials");
    }
    if (verb === "MAIL") {
      Object.assign(talk, { from: addressIn(line), to: [] });
      return say("250 ok");
    }
    if (verb === "RCPT") {
      if (refusal) return say(refusal);
      talk.to.push(addressIn(line));
      return say("250 ok");
    }
    if (verb === "DATA") {
      talk.inData = true;
      return say("354 go on");
    }
    if (verb === "QUIT") {
      say("221 bye");
      return socket.end();
    }
    return say("502 no such command");
  };

  const server = Bun.listen<Talk>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open: (socket) => {
        socket.data = { buffer: "", from: "", to: [], inData: false };
        socket.write("220 sink ESMTP\r\n");
      },
      data: (socket, bytes) => {
        const talk = socket.data;
        talk.buffer += bytes.toString("latin1");
        for (;;) {
          const end = talk.buffer.indexOf(talk.inData ? "\r\n.\r\n" : "\r\n");
          if (end < 0) return;
          const taken = talk.buffer.slice(0, end);
          talk.buffer = talk.buffer.slice(end + (talk.inData ? 5 : 2));
          if (!talk.inData) command(socket, taken);
          else {
            talk.inData = false;
            take(talk, taken.replace(/^\.\./gm, "."));
            socket.write("250 2.0.0 taken\r\n");
          }
        }
      },
    },
  });
  return {
    port: server.port,
    mails,
    signIns,
    refuseWith: (answer) => {
      refusal = answer;
    },
    mail: (index) => {
      const there = mails[index];
      return there ? Promise.resolve(there) : new Promise((resolve) => waiting.set(index, resolve));
    },
    close: () => server.stop(true),
  };
}

const addressIn = (line: string) => /<([^>]*)>/.exec(line)?.[1] ?? "";

function parsed(raw: string, from: string, to: readonly string[]): ReceivedMail {
  const [head = "", body = ""] = halves(raw);
  const headers = headersIn(head);
  const boundary = /boundary="([^"]+)"/.exec(headers.get("content-type") ?? "")?.[1];
  const parts = boundary ? body.split(`--${boundary}`).map((part) => halves(part.replace(/^\r\n/, ""))) : [];
  const part = (type: string) => {
    const found = parts.find(([partHead]) =>
      headersIn(partHead ?? "")
        .get("content-type")
        ?.startsWith(type),
    );
    return found ? decoded(found[1] ?? "", headersIn(found[0] ?? "").get("content-transfer-encoding") ?? "") : "";
  };
  return { from, to: [...to], headers, raw, text: part("text/plain"), html: part("text/html") };
}

function halves(text: string): [string, string] {
  const at = text.indexOf("\r\n\r\n");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 4)];
}

function headersIn(head: string): Map<string, string> {
  const lines = head.replace(/\r\n[ \t]+/g, " ").split("\r\n");
  return new Map(
    lines
      .filter((line) => line.includes(":"))
      .map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
  );
}

function decoded(body: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  if (encoding !== "quoted-printable") return Buffer.from(body, "latin1").toString("utf8");
  const bytes = body
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
