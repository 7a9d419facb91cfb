import { type Call, param, type Route } from "../../src/http/route.ts";
import { ownAccount } from "../../src/identity/access.ts";
import { Failure, NotFound } from "../../src/kernel/errors.ts";
import type { WebServices } from "../area.ts";
import { refusalOf } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { teamHref } from "../links.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { InvitationPage } from "./invitation.tsx";
import { organizationWords } from "./words/index.ts";

/** The pages behind the link of a team invitation. */
export function invitationPages(services: WebServices): Route[] {
  const page = { surface: "page", access: ownAccount, path: "/org/invite/:code" } as const;
  return [
    { ...page, method: "GET", handle: (call) => showInvitation(services, call, undefined) },
    { ...page, method: "POST", handle: (call) => accept(services, call) },
  ];
}

function showInvitation(services: WebServices, call: Call, error: string | undefined): Response {
  const code = param(call, "code");
  const { team, inviter, isForCaller } = services.teamInvitations.look(call.principal, code);
  const { organization } = team.seen;
  const view = (
    <InvitationPage
      shell={shellOf(services, call)}
      organization={organization.fullName || organization.login}
      team={team.team.name}
      inviter={inviter?.login}
      isForCaller={isForCaller}
      action={`/org/invite/${code}`}
      error={error}
    />
  );
  return show(call, view, { status: error === undefined ? 200 : 422 });
}

function accept(services: WebServices, call: Call): Response {
  try {
    const { seen, team } = services.teamInvitations.accept(call.principal, param(call, "code"));
    return redirectAfterPost(services, call, teamHref(seen.organization.login, team.name), {
      kind: "success",
      text: wordsFor(call, organizationWords)("joinedTeam", { team: team.name }),
    });
  } catch (error) {
    if (!(error instanceof Failure) || error instanceof NotFound) throw error;
    return showInvitation(services, call, refusalOf(call, error));
  }
}
