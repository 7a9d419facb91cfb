import { homeOfRepo } from "../../src/actions/homes.ts";
import { redirect } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { administersRepo } from "../../src/repos/access.ts";
import { unitsOn } from "../../src/repos/settings/defaults.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import { readForm, refusalOf } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { placeProps, settingsPlaces } from "../settings-place.tsx";
import { redirectAfterPost, show } from "../visit.ts";
import { GeneralPage, type OtherJobsProps } from "./general.tsx";
import { type ActionsPagePlace, hrefOf, routeOf, subOf } from "./places.ts";
import { actionsWords } from "./words/index.ts";

/** General Actions settings of one kind of place. */
export function generalPages(services: WebServices, place: ActionsPagePlace): Route[] {
  const path = routeOf(place, "general");
  const page = { surface: "page", access: place.access } as const;
  const pages: Route[] = [
    {
      ...page,
      method: "GET",
      path: `${settingsPlaces[place.kind].path}/actions`,
      handle: (call) => redirect(hrefOf(place, "general", call)),
    },
    { ...page, method: "GET", path, handle: (call) => general(services, place, call) },
    { ...page, method: "POST", path: `${path}/token_permissions`, handle: (call) => setRule(services, place, call) },
  ];
  if (place.kind !== "repository") return pages;
  // Repository administrators must be able to switch it back on.
  const access = administersRepo;
  const unit: Route = {
    surface: "page",
    method: "POST",
    access,
    path: `${path}/actions_unit`,
    handle: (call) => setUnit(services, place, call),
  };
  const readers = `${path}/collaborative_owner`;
  return [
    ...pages,
    unit,
    { ...page, method: "POST", path: `${readers}/add`, handle: (call) => addReader(services, place, call) },
    { ...page, method: "POST", path: `${readers}/delete`, handle: (call) => removeReader(services, place, call) },
  ];
}

async function general(
  services: WebServices,
  place: ActionsPagePlace,
  call: Call,
  form: OtherJobsProps["form"] = {},
): Promise<Response> {
  const rule = services.actionsTokenRules.of(place.home(call));
  const props = await placeProps(services, place.kind, call, subOf("general"));
  const seen = place.kind === "repository" ? seenRepo(call) : undefined;
  const view = (
    <GeneralPage
      place={props}
      rule={rule}
      isOn={seen && unitsOn(seen.repo.settings).has("actions")}
      otherJobs={seen && { owner: seen.owner.login, readers: services.actionsReaders.of(homeOfRepo(seen)), form }}
    />
  );
  return show(call, view, { status: form.errors ? 422 : 200 });
}

async function addReader(services: WebServices, place: ActionsPagePlace, call: Call): Promise<Response> {
  const name = (await readForm(call)).text("collaborative_owner").slice(0, 255);
  try {
    services.actionsReaders.add(homeOfRepo(seenRepo(call)), name);
  } catch (error) {
    const refusal = refusalOf(call, error);
    return general(services, place, call, { values: { collaborative_owner: name }, errors: { form: refusal } });
  }
  return told(services, call, hrefOf(place, "general", call), wordsFor(call, actionsWords)("ownerAdded", { name }));
}

async function removeReader(services: WebServices, place: ActionsPagePlace, call: Call): Promise<Response> {
  const form = await readForm(call);
  const id = form.number("id") ?? Number(call.query.get("id") ?? 0);
  const name = services.actionsReaders.remove(homeOfRepo(seenRepo(call)), id);
  return told(services, call, hrefOf(place, "general", call), wordsFor(call, actionsWords)("ownerRemoved", { name }));
}

async function setRule(services: WebServices, place: ActionsPagePlace, call: Call): Promise<Response> {
  services.actionsTokenRules.set(place.home(call), (await readForm(call)).text("token_rule"));
  return saved(services, call, hrefOf(place, "general", call), "tokens");
}

async function setUnit(services: WebServices, place: ActionsPagePlace, call: Call): Promise<Response> {
  const isOn = (await readForm(call)).checked("enable_actions");
  services.repos.edit(seenRepo(call), { settings: { units: { actions: isOn } } });
  // Without Actions this page no longer exists; the repository's settings can switch it back on.
  const to = isOn ? hrefOf(place, "general", call) : settingsPlaces.repository.base(call);
  return saved(services, call, to, isOn ? "unit" : "features");
}

function saved(services: WebServices, call: Call, to: string, form: string): Response {
  return told(services, call, to, wordsFor(call, actionsWords)("saved"), form);
}

/** @param form the form to show the message beside, when there are several */
function told(services: WebServices, call: Call, to: string, text: string, form?: string): Response {
  return redirectAfterPost(services, call, to, { kind: "success", text, ...(form === undefined ? {} : { form }) });
}
