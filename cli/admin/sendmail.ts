import { flagOption, textOption, UsageError } from "../arguments.ts";
import { withServices } from "../data.ts";
import type { Command } from "../dispatch.ts";
import { say } from "../language.ts";
import { requiredOption } from "./people.ts";

/** `hearth admin sendmail`: an email to every account; a running server sends it. */
export const sendmailCommand: Command = {
  name: "admin sendmail",
  doc: "help-sendmail",
  options: [
    { flags: "--title <subject>", doc: "help-sendmail-title" },
    { flags: "--content <text>", doc: "help-sendmail-content" },
    { flags: "-f, --force", doc: "help-sendmail-force" },
  ],
  run: (options) => {
    const title = requiredOption(options, "title");
    const content = textOption(options, "content") ?? "";
    return withServices(options, ({ announcements, mail }) => {
      if (!mail.isConfigured) throw new UsageError(say("mailNotConfigured"));
      if (!flagOption(options, "force"))
        throw new UsageError(say("sendmailUnconfirmed", { people: announcements.readers().length }));
      console.log(say("sendmailQueued", { people: announcements.send(title, content) }));
    });
  },
};
