import { checkEmail } from "../../src/identity/values.ts";
import { BadRequest } from "../../src/kernel/errors.ts";
import { MailRefused } from "../../src/mail/smtp.ts";
import { UsageError } from "../arguments.ts";
import { withServices } from "../data.ts";
import type { Command } from "../dispatch.ts";
import { say } from "../language.ts";
import { requiredOption } from "./people.ts";

/** `hearth admin mail test`: sends one email immediately and prints the mail server's reply. */
export const mailTestCommand: Command = {
  name: "admin mail test",
  doc: "help-mail-test",
  options: [{ flags: "--to <address>", doc: "help-mail-to" }],
  run: async (options) => {
    const to = requiredOption(options, "to");
    try {
      checkEmail(to);
    } catch {
      throw new UsageError(say("mustBeAddress", { to }));
    }
    await withServices(options, async ({ mail, config }) => {
      try {
        const { testMail } = await import("../../web/identity/mails.ts");
        const answer = await mail.sendNow(to, testMail(config.name));
        console.log(say("mailAccepted", { to, answer }));
      } catch (error) {
        if (error instanceof BadRequest) throw new UsageError(say("mailNotConfigured"));
        if (error instanceof MailRefused) throw new UsageError(say("mailRefused", { reason: error.message }));
        throw error;
      }
    });
  },
};
