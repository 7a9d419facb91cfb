import type { Config } from "../config/schema.ts";
import type { MailOptions } from "./service.ts";

/** @param rootUrl the site's address; its host is used in EHLO unless a setting overrides it */
export function mailOptions(config: Config, rootUrl: string): MailOptions {
  return {
    enabled: config["mail.enabled"],
    server: {
      host: config["mail.host"].replace(/^\[|\]$/g, ""),
      port: config["mail.port"],
      security: config["mail.security"],
      user: config["mail.user"],
      password: config["mail.password"],
      passwordFile: config["mail.password_file"],
      from: config["mail.from"],
      replyTo: config["mail.reply_to"],
      helo: config["mail.helo"] || new URL(rootUrl).hostname.replace(/^\[|\]$/g, ""),
    },
  };
}
