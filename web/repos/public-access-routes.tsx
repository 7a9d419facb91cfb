import type { Audience } from "../../src/access/decide.ts";
import { type Unit, units } from "../../src/access/levels.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { administersRepo } from "../../src/repos/access.ts";
import { unitsOn } from "../../src/repos/settings/defaults.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import { type Form, readForm, refusalOf } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { homeOf, repoFrame } from "./frame.ts";
import { audiences, PublicAccessPage, type ShownAudience } from "./public-access.tsx";
import { reposWords } from "./words/index.ts";

const PAGE = "settings/public_access";

/** Which units of a private repository are publicly readable (contract web.md 1.11). */
export function publicAccessPages(services: WebServices): Route[] {
  const page = { surface: "page", path: `/:owner/:repo/${PAGE}`, access: administersRepo } as const;
  return [
    { ...page, method: "GET", handle: (call) => choices(services, call, undefined) },
    { ...page, method: "POST", handle: (call) => save(services, call) },
  ];
}

async function choices(
  services: WebServices,
  call: Call,
  refused: { readonly form: Form; readonly error: string } | undefined,
): Promise<Response> {
  const seen = seenRepo(call);
  const { settings } = seen.repo;
  const on = [...unitsOn(settings)];
  const view = (
    <PublicAccessPage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      chosen={new Map(on.map((unit) => [unit, refused ? audienceIn(refused.form, unit) : stored(settings, unit)]))}
      isForbidden={services.config["repository.force_private"]}
      {...(refused ? { error: refused.error } : {})}
    />
  );
  return show(call, view, { status: refused ? 422 : 200 });
}

async function save(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const form = await readForm(call);
  const { settings } = seen.repo;
  const wanted = units.flatMap((unit): [Unit, Audience][] => {
    // A disabled unit is not in the form, and keeps its setting.
    const audience = form.has(unit) ? audienceIn(form, unit) : stored(settings, unit);
    return audience === "none" ? [] : [[unit, audience]];
  });
  try {
    services.repos.edit(seen, { settings: { opened: Object.fromEntries(wanted) } });
  } catch (error) {
    return choices(services, call, { form, error: refusalOf(call, error) });
  }
  const text = wordsFor(call, reposWords)("publicAccessSaved");
  return redirectAfterPost(services, call, homeOf(seen, PAGE), { kind: "success", text });
}

const stored = ({ opened = {} }: { opened?: Partial<Record<Unit, Audience>> }, unit: Unit): ShownAudience =>
  opened[unit] ?? "none";
const audienceIn = (form: Form, unit: Unit) => audiences.find((known) => known === form.text(unit)) ?? "none";
