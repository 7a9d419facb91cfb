import { redirect } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { administersRepo } from "../../src/repos/access.ts";
import { unitsOn } from "../../src/repos/settings/defaults.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import { readForm } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { placeProps, settingsPlaces } from "../settings-place.tsx";
import { redirectAfterPost, show } from "../visit.ts";
import { GeneralPage } from "./general.tsx";
import { type ActionsPagePlace, hrefOf, routeOf, subOf } from "./places.ts";
import { actionsWords } from "./words/index.ts";

/** What holds for all workflows of a kind of place. */
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
  // Whoever administers the repository can switch it on again, too.
  const access = administersRepo;
  const unit: Route = {
    surface: "page",
    method: "POST",
    access,
    path: `${path}/actions_unit`,
    handle: (call) => setUnit(services, place, call),
  };
  return [...pages, unit];
}

async function general(services: WebServices, place: ActionsPagePlace, call: Call): Promise<Response> {
  const rule = services.actionsTokenRules.of(place.home(call));
  const props = await placeProps(services, place.kind, call, subOf("general"));
  const isOn = place.kind === "repository" ? unitsOn(seenRepo(call).repo.settings).has("actions") : undefined;
  return show(call, <GeneralPage place={props} rule={rule} isOn={isOn} />);
}

async function setRule(services: WebServices, place: ActionsPagePlace, call: Call): Promise<Response> {
  services.actionsTokenRules.set(place.home(call), (await readForm(call)).text("token_rule"));
  return saved(services, call, hrefOf(place, "general", call), "tokens");
}

async function setUnit(services: WebServices, place: ActionsPagePlace, call: Call): Promise<Response> {
  const isOn = (await readForm(call)).checked("enable_actions");
  services.repos.edit(seenRepo(call), { settings: { units: { actions: isOn } } });
  // Without Actions there is no such page any more; the repository's own settings bring it back.
  const to = isOn ? hrefOf(place, "general", call) : settingsPlaces.repository.base(call);
  return saved(services, call, to, isOn ? "unit" : "features");
}

function saved(services: WebServices, call: Call, to: string, form: string): Response {
  const text = wordsFor(call, actionsWords)("saved");
  return redirectAfterPost(services, call, to, { kind: "success", text, form });
}
