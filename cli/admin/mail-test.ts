import { checkEmail } from "../../src/identity/values.ts";
import { BadRequest } from "../../src/kernel/errors.ts";
import { MailRefused } from "../../src/mail/smtp.ts";
import { UsageError } from "../arguments.ts";
import { withServices } from "../data.ts";
import type { Command } from "../dispatch.ts";
import { requiredOption } from "./people.ts";

/** `hearth admin mail test`: sends one mail at once and says what the mail server answered. */
export const mailTestCommand: Command = {
  name: "admin mail test",
  doc: "Send a test mail and say what the mail server answered",
  options: [{ flags: "--to <address>", doc: "Where to send it" }],
  run: async (options) => {
    const to = requiredOption(options, "to");
    try {
      checkEmail(to);
    } catch {
      throw new UsageError(`--to ${to}: must be an e-mail address`);
    }
    await withServices(options, async ({ mail, config }) => {
      try {
        const { testMail } = await import("../../web/identity/mails.ts");
        const answer = await mail.sendNow(to, testMail(config.name));
        console.log(`The mail server took the mail to ${to}: ${answer}`);
      } catch (error) {
        if (error instanceof BadRequest) throw new UsageError("mail is not configured: set mail.host and mail.from");
        if (error instanceof MailRefused) throw new UsageError(`the mail was not sent: ${error.message}`);
        throw error;
      }
    });
  },
};
