import { chooseLanguage } from "../../src/language/choose.ts";
import { type MailContent, unlinked } from "../../src/mail/content.ts";
import type { InvitationMail } from "../../src/organizations/invitations/service.ts";
import { organizationWords } from "./words/index.ts";

/** Invites an email address to a team, in the language of its account. */
export function invitationMail(site: string, about: InvitationMail): MailContent {
  const t = organizationWords.in(chooseLanguage({ account: about.language }));
  const names = {
    site,
    team: unlinked(about.team),
    organization: unlinked(about.organization),
    inviter: unlinked(about.inviter),
  };
  return {
    subject: t("mailInvitationSubject", { organization: about.organization, site }),
    blocks: [
      { kind: "paragraph", text: about.inviter === "" ? t("mailInvited", names) : t("mailInvitedBy", names) },
      { kind: "action", label: t("mailInvitationAction"), href: about.href },
      { kind: "note", text: t("mailInvitationNote", { days: about.days }) },
    ],
  };
}
