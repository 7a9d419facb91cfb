import { isPartial } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { seesRepo, signedInReader } from "../../src/repos/access.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import { withoutStars } from "../../src/stars/api.ts";
import type { FollowService } from "../../src/stars/service.ts";
import type { WebServices } from "../area.ts";
import { readForm } from "../form-data.ts";
import type { RepoAction } from "../layout/contributions.ts";
import { RepoActionButton } from "../layout/repo-frame.tsx";
import { pageOf } from "../list-query.ts";
import { personOf } from "../people.ts";
import { localPath } from "../redirect-target.ts";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { redirectAfterPost, shellOf, show, showPart } from "../visit.ts";
import { starButton, watchButton } from "./buttons.ts";
import { FollowersPage } from "./people.tsx";

const PER_PAGE = 40;

/** Lists of stargazers and watchers, and the form handlers of the buttons (contract web.md 1.5 and 1.6). */
export function followPages(services: WebServices): Route[] {
  const { stars, watches } = services;
  const list = { method: "GET", surface: "page", access: seesRepo } as const;
  const action = { method: "POST", surface: "page", access: signedInReader } as const;
  const path = "/:owner/:repo";
  const routes: Route[] = [
    { ...list, path: `${path}/stars`, handle: (call) => people(services, call, "stargazers", stars) },
    { ...list, path: `${path}/watchers`, handle: (call) => people(services, call, "watchers", watches) },
    {
      ...action,
      path: `${path}/action/star`,
      handle: (call) => change(services, call, (seen) => stars.add(seen), starButton),
    },
    {
      ...action,
      path: `${path}/action/unstar`,
      handle: (call) => change(services, call, (seen) => stars.remove(seen), starButton),
    },
    {
      ...action,
      path: `${path}/action/watch`,
      handle: (call) => change(services, call, (seen) => watches.add(seen), watchButton),
    },
    {
      ...action,
      path: `${path}/action/unwatch`,
      handle: (call) => change(services, call, (seen) => watches.remove(seen), watchButton),
    },
  ];
  return services.config["repository.stars"] ? routes : routes.map(withoutStars);
}

async function people(
  services: WebServices,
  call: Call,
  kind: "stargazers" | "watchers",
  follows: FollowService,
): Promise<Response> {
  const seen = seenRepo(call);
  const slice = pageOf(call, PER_PAGE);
  const { items, total } = follows.followers(seen, slice);
  const href = homeOf(seen, kind === "stargazers" ? "stars" : "watchers");
  return show(
    call,
    <FollowersPage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      kind={kind}
      people={items.map((user) => ({ ...personOf(user), fullName: user.fullName }))}
      pages={{ page: slice.page, perPage: PER_PAGE, total, href }}
    />,
  );
}

/** Responds to htmx with the updated button, otherwise redirects to the page with the form. */
async function change(
  services: WebServices,
  call: Call,
  act: (seen: SeenRepo) => void,
  button: (services: WebServices, seen: SeenRepo) => RepoAction,
): Promise<Response> {
  const seen = seenRepo(call);
  const returnTo = localPath((await readForm(call)).text("redirect_to")) ?? homeOf(seen);
  act(seen);
  if (!isPartial(call.request)) return redirectAfterPost(services, call, returnTo);
  return showPart(call, <RepoActionButton action={button(services, seen)} returnTo={returnTo} />);
}
