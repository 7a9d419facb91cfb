import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { operator } from "../../src/access/principal.ts";
import { textPart, unlinked } from "../../src/mail/content.ts";
import { checkHeaders, headersOf } from "../../src/mail/message.ts";
import { renderMail } from "../../web/mail/render.tsx";
import { aServer, aUser, type TestServer } from "../builders.ts";
import { hearth } from "../cli/run.ts";
import { anSmtpSink, type SmtpSink } from "../smtp-sink.ts";

const message = { to: "ada@example.org", subject: "s", text: "t", html: "h", messageId: "<1@example.org>" };

test("both parts say the same, and the HTML one escapes what people chose", () => {
  const content = {
    subject: "Hello",
    blocks: [
      { kind: "paragraph", text: "A name: <b>x</b>" },
      { kind: "action", label: "Go on", href: "https://h.example/?a=1&b=2" },
      { kind: "note", text: "Small print." },
    ],
  } as const;
  const parts = renderMail(content, { name: "Hearth", rootUrl: "https://h.example/" });
  expect(parts.text).toBe(
    "A name: <b>x</b>\n\nGo on:\nhttps://h.example/?a=1&b=2\n\nSmall print.\n\n-- \nHearth\nhttps://h.example/\n",
  );
  expect(parts.html).toContain("<p>A name: &lt;b&gt;x&lt;/b&gt;</p>");
  expect(parts.html).toContain('<a href="https://h.example/?a=1&amp;b=2"><strong>Go on</strong></a>');
  expect(parts.html).not.toMatch(/style=|<script|<img/);
});

test("text is wrapped at 72 columns, and a name that looks like an address is no link", () => {
  const long = textPart({ subject: "", blocks: [{ kind: "paragraph", text: "word ".repeat(40) }] }, "x");
  expect(Math.max(...long.split("\n").map((line) => line.length))).toBeLessThanOrEqual(72);
  expect(unlinked("evil.example")).toBe("evil.\u200bexample");
});

describe("headers", () => {
  for (const [name, bad] of Object.entries({
    to: { to: "ada@example.org\r\nBcc: all@example.org" },
    "several to": { to: "ada@example.org,eve@example.org" },
    subject: { subject: "x\nBcc: eve@example.org" },
    references: { references: ["<a@b>\r\nX: y"] },
    messageId: { messageId: "no brackets" },
    unsubscribe: { unsubscribe: "https://x/> <mailto:eve@example.org" },
  }))
    test(`injection is refused: ${name}`, () => {
      expect(() => checkHeaders({ ...message, ...bad })).toThrow("mail.header-invalid");
    });

  test("of threads and of mails one can end", () => {
    const threaded = { ...message, references: ["<a@x>", "<b@x>"], unsubscribe: "https://x.example/off" };
    checkHeaders(threaded);
    expect(headersOf(threaded)).toEqual({
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      "In-Reply-To": "<b@x>",
      References: "<a@x> <b@x>",
      "List-Unsubscribe": "<https://x.example/off>",
    });
    expect(headersOf(message)).not.toContainKey("List-Unsubscribe");
  });
});

describe("through a mail server", () => {
  let sink: SmtpSink;
  let server: TestServer;
  beforeAll(async () => {
    sink = anSmtpSink({ user: "hearth", password: "s3cret-of-mail" });
    server = await aServer({
      "mail.host": "127.0.0.1",
      "mail.port": sink.port,
      "mail.security": "none",
      "mail.user": "hearth",
      "mail.password": "s3cret-of-mail",
      "mail.from": "Hearth <git@example.org>",
      "mail.reply_to": "people@example.org",
      "mail.helo": "git.example.org",
    });
  });
  afterAll(async () => {
    await server.close();
    sink.close();
  });
  const content = { subject: "Grüße", blocks: [{ kind: "paragraph", text: "Ein Wört." }] } as const;

  test("a mail arrives whole, with its headers", async () => {
    const answer = await server.services.mail.sendNow("ada@example.org", content);
    expect(answer).toContain("taken");
    const mail = await sink.mail(0);
    expect([mail.from, mail.to]).toEqual(["git@example.org", ["ada@example.org"]]);
    expect(mail.headers.get("from")).toBe("Hearth <git@example.org>");
    expect(mail.headers.get("reply-to")).toBe("people@example.org");
    expect(mail.headers.get("auto-submitted")).toBe("auto-generated");
    expect(mail.headers.get("message-id")).toMatch(/^<[0-9a-f]{32}@git\.example\.org>$/);
    expect(mail.text).toContain("Ein Wört.");
    expect(mail.html).toContain("<p>Ein Wört.</p>");
    expect(sink.signIns).toContain("hearth:s3cret-of-mail");
  });

  test("the queue holds no text, tries again what was put off, and gives up what is refused for good", async () => {
    const { mail, jobs, db } = server.core;
    let composed = 0;
    mail.compose("test.kind", ({ n }) => {
      composed++;
      return { to: "ada@example.org", content: { subject: `number ${n}`, blocks: [] } };
    });
    const queued = () =>
      db
        .query<{ payload: string; attempts: number }>(
          "SELECT payload, attempts FROM jobs WHERE kind = 'mail.send' AND state = 'waiting'",
        )
        .all();
    sink.refuseWith("451 4.3.0 later");
    db.transaction(() => mail.enqueue("test.kind", { n: 1 }));
    await jobs.drain();
    expect(queued().map(({ attempts }) => attempts)).toEqual([1]);
    expect(queued()[0]?.payload).not.toContain("ada@");
    sink.refuseWith("550 5.1.1 no such user");
    db.query("UPDATE jobs SET run_at = 0 WHERE kind = 'mail.send'").run();
    await jobs.drain();
    expect([queued(), composed]).toEqual([[], 2]);
    sink.refuseWith(undefined);
    expect(server.errors.join()).toContain("refused for good");
    expect(server.errors.join()).not.toContain("s3cret-of-mail");
  });

  test("the operator sees at the terminal what the mail server said", async () => {
    const secret = join(server.dataDir, "mail-password");
    writeFileSync(secret, "s3cret-of-mail\n");
    const settings = (more: Record<string, string>) =>
      Object.entries({
        "mail.host": "127.0.0.1",
        "mail.port": String(sink.port),
        "mail.security": "none",
        "mail.from": "git@example.org",
        "mail.user": "hearth",
        ...more,
      }).flatMap(([name, value]) => ["--set", `${name}=${value}`]);
    const run = (...words: string[]) => hearth(server.dataDir, ["admin", "mail", "test", ...words]);
    const before = sink.mails.length;
    const good = await run("--to", "ada@example.org", ...settings({ "mail.password_file": secret }));
    expect([good.code, good.err]).toEqual([0, ""]);
    expect(good.out).toBe("The mail server accepted the mail to ada@example.org: 250 2.0.0 taken\n");
    expect(sink.mails.length).toBe(before + 1);
    const wrong = await run("--to", "ada@example.org", ...settings({ "mail.password": "not-it-at-all" }));
    expect(wrong.code).not.toBe(0);
    expect(wrong.err).toContain("535");
    expect(wrong.out + wrong.err).not.toContain("not-it-at-all");
    const off = await run("--to", "ada@example.org");
    expect(off.err).toContain("mail is not configured");
    const noTls = await run("--to", "ada@example.org", ...settings({ "mail.security": "starttls" }));
    expect(noTls.err).toContain("STARTTLS");
    expect((await run("--to", "ada")).err).toContain("must be an e-mail address");
    expect(sink.mails.length).toBe(before + 1);
  });

  test("the operator mails everyone who may sign in", async () => {
    await aUser(server, { login: "reader", email: "reader@example.org" });
    const gone = await aUser(server, { login: "gone", email: "gone@example.org" });
    await server.services.identity.edit(operator, gone.user, { isActive: false });
    const settings = ["--set", "mail.host=127.0.0.1", "--set", "mail.from=git@example.org"];
    const run = (...words: string[]) => hearth(server.dataDir, ["admin", "sendmail", ...words]);
    const written = ["--title", "Tonight at nine", "--content", "Hearth rests.\n\nUntil ten."];
    expect((await run(...written)).err).toContain("mail is not configured");
    expect((await run("--content", "x", "--force", ...settings)).code).toBe(1);
    const people = server.services.announcements.readers().length;
    expect((await run(...written, ...settings)).err).toContain(`${people} people would get this mail`);
    const before = sink.mails.length;
    const sent = await run(...written, "--force", ...settings);
    expect([sent.code, sent.err, sent.out]).toEqual([0, "", `The mail goes to ${people} people\n`]);
    await server.core.jobs.drain();
    const mails = sink.mails.slice(before);
    expect(mails.map(({ headers }) => headers.get("subject"))).toEqual(Array(people).fill("Tonight at nine"));
    expect(mails.every(({ text }) => text.includes("Hearth rests.") && text.includes("Until ten."))).toBe(true);
    expect(mails.map(({ to }) => to).join()).toContain("reader@example.org");
    expect(mails.map(({ to }) => to).join()).not.toContain("gone@example.org");
  });
});
