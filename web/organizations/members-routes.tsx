import type { User } from "../../src/access/user.ts";
import { type Call, type Route, signedIn } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { organizationMember, seesOrganization } from "../../src/organizations/access.ts";
import { seenOrganization } from "../../src/organizations/subject.ts";
import type { SeenOrganization } from "../../src/organizations/types.ts";
import type { WebServices } from "../area.ts";
import { readForm, refusalOf } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { organizationHref } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { personOf } from "../people.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { MembersPage } from "./members.tsx";
import { organizationProps } from "./view.ts";
import { organizationWords } from "./words/index.ts";

const PER_PAGE = 20;

/** The members of an organization. */
export function memberPages(services: WebServices): Route[] {
  const page = { surface: "page" } as const;
  const action = { ...page, method: "POST", access: organizationMember } as const;
  const path = "/org/:org/members";
  return [
    { ...page, method: "GET", path, access: seesOrganization, handle: (call) => list(services, call) },
    { ...action, path: `${path}/action/public`, handle: (call) => setPublic(services, call, true) },
    { ...action, path: `${path}/action/private`, handle: (call) => setPublic(services, call, false) },
    { ...action, path: `${path}/action/remove`, handle: (call) => remove(services, call) },
    { ...action, path: `${path}/action/leave`, handle: (call) => leave(services, call) },
  ];
}

function list(services: WebServices, call: Call): Response {
  const { members } = services;
  const seen = seenOrganization(call);
  const slice = pageOf(call, PER_PAGE);
  const { items, total } = members.list(seen, slice);
  const shown = members.publicAmong(seen, items);
  const owners = members.ownersAmong(seen, items);
  const view = (
    <MembersPage
      shell={shellOf(services, call)}
      organization={organizationProps(seen)}
      members={items.map((user) => ({
        id: user.id,
        person: personOf(user),
        fullName: user.fullName,
        isOwner: owners.has(user.id),
        isPublic: shown.has(user.id),
        isSelf: user.id === call.principal.user?.id,
      }))}
      pages={{ page: slice.page, perPage: PER_PAGE, total, href: home(seen) }}
    />
  );
  return show(call, view);
}

const home = ({ organization }: SeenOrganization) => organizationHref(organization.login, "members");

/** The member that the form is about, looked up among those of this organization. */
async function member(services: WebServices, call: Call): Promise<User> {
  const user = services.identity.byId((await readForm(call)).number("uid") ?? 0);
  if (!user || !services.members.isMember(seenOrganization(call), user)) throw new NotFound();
  return user;
}

async function setPublic(services: WebServices, call: Call, isPublic: boolean): Promise<Response> {
  const seen = seenOrganization(call);
  const user = await member(services, call);
  try {
    services.members.setPublic(seen, user, isPublic);
  } catch (error) {
    return redirectAfterPost(services, call, home(seen), { kind: "error", text: refusalOf(call, error) });
  }
  return redirectAfterPost(services, call, home(seen));
}

async function remove(services: WebServices, call: Call): Promise<Response> {
  const seen = seenOrganization(call);
  const user = await member(services, call);
  try {
    services.members.remove(seen, user);
  } catch (error) {
    return redirectAfterPost(services, call, home(seen), { kind: "error", text: refusalOf(call, error) });
  }
  const text = wordsFor(call, organizationWords)("memberRemoved", { name: user.login });
  return redirectAfterPost(services, call, home(seen), { kind: "success", text });
}

function leave(services: WebServices, call: Call): Response {
  const seen = seenOrganization(call);
  try {
    services.members.remove(seen, signedIn(call));
  } catch (error) {
    return redirectAfterPost(services, call, home(seen), { kind: "error", text: refusalOf(call, error) });
  }
  const text = wordsFor(call, organizationWords)("youLeft", { name: seen.organization.login });
  return redirectAfterPost(services, call, "/", { kind: "success", text });
}
