import type { AccountMailWords } from "../../src/identity/account-mails.ts";
import { unlinked } from "../../src/mail/content.ts";

/** The words of the mails about an account. */
export function accountMails(site: string): AccountMailWords {
  const ends = (minutes: number) =>
    minutes % 60 === 0 && minutes > 60 ? `${minutes / 60} hours` : `${minutes} minutes`;
  return {
    activate: ({ login, href, minutes }) => ({
      subject: `Activate your account at ${site}`,
      blocks: [
        {
          kind: "paragraph",
          text: `Someone, hopefully you, registered the account ${unlinked(login)} at ${site} with this address.`,
        },
        { kind: "action", label: "Activate the account", href },
        {
          kind: "note",
          text: `The link works once, for ${ends(minutes)}. If it was not you, ignore this mail: without the link the account stays unused.`,
        },
      ],
    }),
    confirmAddress: ({ login, href, minutes }) => ({
      subject: `Confirm your address at ${site}`,
      blocks: [
        {
          kind: "paragraph",
          text: `The account ${unlinked(login)} at ${site} added this address as one of its own. Confirm it if the account is yours.`,
        },
        { kind: "action", label: "Confirm the address", href },
        {
          kind: "note",
          text: `The link works once, for ${ends(minutes)}, and only for someone signed in as ${unlinked(login)}. If it was not you, ignore this mail.`,
        },
      ],
    }),
    resetPassword: ({ login, href, minutes }) => ({
      subject: `Set a new password at ${site}`,
      blocks: [
        {
          kind: "paragraph",
          text: `Someone, hopefully you, asked for a new password for the account ${unlinked(login)} at ${site}.`,
        },
        { kind: "action", label: "Set a new password", href },
        {
          kind: "note",
          text: `The link works once, for ${ends(minutes)}. If it was not you, ignore this mail: the password stays as it is.`,
        },
      ],
    }),
  };
}

/** The mail by which an operator sees that mail works. */
export function testMail(site: string) {
  return {
    subject: `Mail from ${site} works`,
    blocks: [
      { kind: "paragraph", text: `This is a test. The operator of ${site} sent it from the terminal, and it arrived.` },
    ],
  } as const;
}
