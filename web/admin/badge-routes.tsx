import { administersAccounts } from "../../src/admin/access.ts";
import type { Call, Route } from "../../src/http/route.ts";
import type { WebServices } from "../area.ts";
import type { FormState } from "../components/form.tsx";
import { formErrors, readForm } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { BADGES, type BadgeField, BadgesPage } from "./badges.tsx";
import { adminWords } from "./words/index.ts";

/** Creates badges, and gives them to people. */
export function badgePages(services: WebServices): Route[] {
  const page = { surface: "page", access: administersAccounts } as const;
  return [
    { ...page, method: "GET", path: BADGES, handle: (call) => list(services, call, {}) },
    { ...page, method: "POST", path: BADGES, handle: (call) => create(services, call) },
    { ...page, method: "POST", path: `${BADGES}/people`, handle: (call) => giveOrTake(services, call) },
    { ...page, method: "POST", path: `${BADGES}/delete`, handle: (call) => remove(services, call) },
  ];
}

function list(services: WebServices, call: Call, form: FormState<BadgeField>): Response {
  const badges = services.userBadges.all(call.principal);
  const holders = services.userBadges.holders(call.principal);
  const status = form.errors ? 422 : 200;
  return show(call, <BadgesPage shell={shellOf(services, call)} badges={badges} holders={holders} form={form} />, {
    status,
  });
}

async function create(services: WebServices, call: Call): Promise<Response> {
  const form = await readForm(call);
  const values = {
    slug: form.text("slug").slice(0, 255),
    description: form.text("description").slice(0, 1000),
    image_url: form.text("image_url").slice(0, 1000),
  };
  try {
    const { slug, description, image_url: imageUrl } = values;
    services.userBadges.create(call.principal, { slug, description, imageUrl });
  } catch (error) {
    const fields = { slug: "slug", description: "description", image_url: "image_url" } as const;
    return list(services, call, { values, errors: formErrors<BadgeField>(call, error, fields) });
  }
  return redirectAfterPost(services, call, BADGES);
}

/** Takes `slug`, `user_name` and `action`: give or take. */
async function giveOrTake(services: WebServices, call: Call): Promise<Response> {
  const { identity, userBadges } = services;
  const t = wordsFor(call, adminWords);
  const form = await readForm(call);
  const [name, slug] = [form.text("user_name").slice(0, 255), form.text("slug")];
  const user = identity.byLogin(name);
  if (!user) return redirectAfterPost(services, call, BADGES, { kind: "error", text: t("noSuchUser", { name }) });
  const takes = form.text("action") === "take";
  if (takes) userBadges.take(call.principal, user, [slug]);
  else userBadges.give(call.principal, user, [slug]);
  const text = t(takes ? "badgeTaken" : "badgeGiven", { name: user.login, badge: slug });
  return redirectAfterPost(services, call, BADGES, { kind: "success", text });
}

async function remove(services: WebServices, call: Call): Promise<Response> {
  services.userBadges.remove(call.principal, (await readForm(call)).number("id") ?? 0);
  return redirectAfterPost(services, call, BADGES);
}
