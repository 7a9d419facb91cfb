import type { Runner } from "../../src/actions/types.ts";
import { type Call, idParam, type Route } from "../../src/http/route.ts";
import type { WebServices } from "../area.ts";
import { readForm } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { pageOf } from "../list-query.ts";
import { placeProps } from "../settings-place.tsx";
import { redirectAfterPost, show } from "../visit.ts";
import { type ActionsPagePlace, hrefOf, routeOf, subOf } from "./places.ts";
import { RunnersPage } from "./runners.tsx";
import { actionsWords } from "./words/index.ts";

const PER_PAGE = 50;

/** The runners of one kind of place. */
export function runnerPages(services: WebServices, place: ActionsPagePlace): Route[] {
  const path = routeOf(place, "runners");
  const page = { surface: "page", access: place.access } as const;
  return [
    { ...page, method: "GET", path, handle: (call) => list(services, place, call) },
    {
      ...page,
      method: "POST",
      path: `${path}/reset_registration_token`,
      handle: (call) => {
        services.actionsRunners.resetRegistrationToken(place.home(call));
        return done(services, place, call, "tokenReset");
      },
    },
    { ...page, method: "POST", path: `${path}/:id/update-runner`, handle: (call) => update(services, place, call) },
    {
      ...page,
      method: "POST",
      path: `${path}/:id/delete`,
      handle: (call) => {
        services.actionsRunners.delete(place.home(call), idParam(call, "id"));
        return done(services, place, call, "runnerDeleted");
      },
    },
  ];
}

async function list(services: WebServices, place: ActionsPagePlace, call: Call): Promise<Response> {
  const { actionsRunners } = services;
  const paging = pageOf(call, PER_PAGE);
  const home = place.home(call);
  const { items, total } = actionsRunners.list(home, paging);
  const props = await placeProps(services, place.kind, call, subOf("runners"));
  const ownerOf = place.kind === "site" ? ownerNames(services, call, items) : () => undefined;
  const runners = items.map((runner) => ({
    runner,
    state: actionsRunners.stateOf(runner),
    owner: ownerOf(runner),
  }));
  const pages = { page: paging.page, perPage: PER_PAGE, total, href: props.base };
  const token = actionsRunners.registrationToken(home);
  return show(call, <RunnersPage place={props} runners={runners} token={token} pages={pages} />);
}

/** The owners of runners, looked up together: `ada`, `ada/tools`. */
function ownerNames(
  { identity, repos }: WebServices,
  { principal }: Call,
  runners: readonly Runner[],
): (runner: Runner) => string | undefined {
  const numbers = (of: (runner: Runner) => number | undefined) => runners.map(of).filter((id) => id !== undefined);
  const accounts = identity.byIds(numbers(({ ownerId }) => ownerId));
  const seen = repos.seeEach(
    principal,
    numbers(({ repoId }) => repoId),
  );
  const names = new Map(seen.map(({ owner, repo }) => [repo.id, `${owner.login}/${repo.name}`]));
  return ({ ownerId, repoId }) => (repoId === undefined ? accounts.get(ownerId ?? 0)?.login : names.get(repoId));
}

async function update(services: WebServices, place: ActionsPagePlace, call: Call): Promise<Response> {
  const isDisabled = (await readForm(call)).checked("disabled");
  services.actionsRunners.setDisabled(place.home(call), idParam(call, "id"), isDisabled);
  return done(services, place, call, isDisabled ? "runnerDisabled" : "runnerEnabled");
}

function done(
  services: WebServices,
  place: ActionsPagePlace,
  call: Call,
  said: "tokenReset" | "runnerEnabled" | "runnerDisabled" | "runnerDeleted",
): Response {
  const text = wordsFor(call, actionsWords)(said);
  return redirectAfterPost(services, call, hrefOf(place, "runners", call), { kind: "success", text });
}
