import { afterAll, beforeAll, expect, test } from "bun:test";
import { asAccount } from "../../src/access/principal.ts";
import { aServer, aSession, aUser, type TestServer, type TestUser } from "../builders.ts";
import { anSmtpSink, mailsTo, type SmtpSink } from "../smtp-sink.ts";
import { aPage, type Visitor, wordsOf } from "./browser-calls.ts";

/** What an administrator is told about the configuration, and the mail that shows whether mail works. */

let sink: SmtpSink;
let server: TestServer;
let root: TestUser;
beforeAll(async () => {
  sink = anSmtpSink();
  server = await aServer({
    registration: "open",
    "network.allow": ["*"],
    "proxy.sign_in": "pages",
    ...mailsTo(sink),
  });
  root = await aUser(server, { isAdmin: true });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  sink.close();
  expect(errors).toEqual([]);
});

async function signedIn(at: TestServer, { user }: TestUser): Promise<Visitor> {
  const [name = "", secret = ""] = (await aSession(at, user)).split("=");
  return aPage(at, new Map([[name, secret]]));
}
const found = (at: TestServer, who: TestUser, host: string) =>
  at.services.selfCheck.run(asAccount(who.user), host).map(({ code }) => code);

test("what harms or is worth a thought is found, and nothing else", async () => {
  const { host } = new URL(server.core.links.rootUrl);
  expect(found(server, root, host)).toEqual(["proxy-sign-in-untrusted", "registration-open", "network-open"]);
  expect(found(server, root, "elsewhere.example")).toContain("root-url-differs");
  await using exposed = await aServer({ root_url: "http://git.example.org/" });
  const admin = await aUser(exposed, { isAdmin: true });
  expect(found(exposed, admin, "git.example.org")).toEqual(["root-url-unencrypted", "mail-not-configured"]);
  const mia = await aUser(server);
  expect(() => found(server, mia, host)).toThrow();
});

test("the page says it in words", async () => {
  const page = await (await signedIn(server, root)).get("/-/admin/self_check");
  expect([page.status, wordsOf(page.text).includes("Everyone may create an account here")]).toEqual([200, true]);
});

test("a test mail goes to the address, and what the mail server says is shown", async () => {
  const admin = await signedIn(server, root);
  const at = sink.mails.length;
  const send = async (email: string) => {
    const answer = await admin.post("/-/admin/config/test_mail", { email });
    expect([answer.status, answer.location]).toEqual([303, "/-/admin/config"]);
    return wordsOf((await admin.get("/-/admin/config")).text);
  };
  expect(await send("ada@example.org")).toContain("The mail server took the mail to ada@example.org");
  expect((await sink.mail(at)).to).toEqual(["ada@example.org"]);
  sink.refuseWith("550 5.1.1 no such user");
  expect(await send("eve@example.org")).toContain("no such user");
  sink.refuseWith(undefined);
  expect(await send("no address")).not.toContain("The mail server took");
  expect(sink.mails).toHaveLength(at + 1);
});
