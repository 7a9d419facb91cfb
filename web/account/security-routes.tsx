import { type Call, type Route, signedIn } from "../../src/http/route.ts";
import { ownAccount, ownSecondFactor } from "../../src/identity/access.ts";
import type { WebServices } from "../area.ts";
import { readForm } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { settingsPanels } from "./panels.ts";
import { SecurityPage } from "./security.tsx";
import { accountWords } from "./words/index.ts";

const PAGE = "/user/settings/security";

/** Lists and ends an account's sessions. */
export function securityPages(services: WebServices): Route[] {
  const page = { surface: "page", access: ownAccount } as const;
  return [
    { ...page, access: ownSecondFactor, method: "GET", path: PAGE, handle: (call) => list(services, call) },
    { ...page, method: "POST", path: `${PAGE}/sessions/revoke`, handle: (call) => revoke(services, call) },
  ];
}

async function list(services: WebServices, call: Call): Promise<Response> {
  const sessions = services.sessions.list(call.principal, signedIn(call).id).map((session) => ({
    id: session.id,
    device: deviceOf(call, session.userAgent),
    address: session.address,
    startedAt: session.createdAt,
    usedAt: session.lastUsedAt,
    expiresAt: session.expiresAt,
    isCurrent: session.id === call.principal.sessionId,
  }));
  const cards = await settingsPanels(services, call, "security");
  const view = <SecurityPage shell={shellOf(services, call)} cards={cards} sessions={sessions} />;
  // A card may show a one-time secret: the page must not be cached, not even for the back button.
  return show(call, view, { headers: { "cache-control": "no-store" } });
}

async function revoke(services: WebServices, call: Call): Promise<Response> {
  const t = wordsFor(call, accountWords);
  const id = (await readForm(call)).text("id");
  if (id === "others") {
    services.sessions.closeOthers(call.principal);
    return redirectAfterPost(services, call, PAGE, { kind: "success", text: t("signedOutElsewhere") });
  }
  services.sessions.close(call.principal, id);
  return redirectAfterPost(services, call, PAGE, { kind: "success", text: t("sessionEnded") });
}

const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
];
const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/Linux|X11/, "Linux"],
];

/** "Firefox on Linux", as far as the user agent tells. */
function deviceOf(call: Call, userAgent: string): string {
  const t = wordsFor(call, accountWords);
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? t("someBrowser");
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  return system ? t("browserOn", { browser, system }) : browser;
}
