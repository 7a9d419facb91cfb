import type { Call, Route } from "../../src/http/route.ts";
import type { WebServices } from "../area.ts";
import { wordsFor } from "../language.ts";
import { repoItem } from "../repos/items.ts";
import { anyone, shellOf, show } from "../visit.ts";
import { DashboardPage } from "./dashboard.tsx";
import { LandingPage } from "./landing.tsx";
import { homeWords } from "./words/index.ts";

const LANDING_REPOS = 10;

/** The start page: a dashboard for signed-in users, recent activity for everyone else. */
export function homePages(services: WebServices): Route[] {
  return [
    {
      method: "GET",
      path: "/",
      surface: "page",
      access: anyone,
      handle: (call) => (call.principal.user ? dashboard(services, call) : landing(services, call)),
    },
  ];
}

async function dashboard(services: WebServices, call: Call): Promise<Response> {
  const shown = await Promise.all(
    services.panels.map(async (panel) => ({ place: panel.place, card: await panel.show(services, call) })),
  );
  const cards = (place: "main" | "side") => shown.flatMap((panel) => (panel.place === place ? (panel.card ?? []) : []));
  return show(call, <DashboardPage shell={shellOf(services, call)} main={cards("main")} side={cards("side")} />);
}

function landing(services: WebServices, call: Call): Response {
  const slice = { page: 1, limit: LANDING_REPOS, offset: 0 };
  const found = services.repoSearch.search(call.principal, { sort: "updated", order: "desc" }, slice);
  const shell = shellOf(services, call);
  // Before the first account exists, the one useful message is where to find the setup link.
  const flash = services.identity.hasAnyUser()
    ? {}
    : {
        flash: {
          kind: "info",
          text: wordsFor(call, homeWords)("newServer"),
        } as const,
      };
  return show(call, <LandingPage shell={{ ...shell, ...flash }} repos={found.items.map(repoItem)} />);
}
