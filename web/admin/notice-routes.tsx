import { administersBackground } from "../../src/admin/access.ts";
import type { Call, Route } from "../../src/http/route.ts";
import type { WebServices } from "../area.ts";
import { readForm } from "../form-data.ts";
import { pageOf } from "../list-query.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { NOTICES, NoticesPage } from "./notices.tsx";

const PER_PAGE = 25;

/** Shows the server's notices to administrators, and deletes them. */
export function noticePages(services: WebServices): Route[] {
  const page = { surface: "page", access: administersBackground } as const;
  return [
    { ...page, method: "GET", path: NOTICES, handle: (call) => list(services, call) },
    { ...page, method: "POST", path: `${NOTICES}/delete`, handle: (call) => remove(services, call) },
    { ...page, method: "POST", path: `${NOTICES}/empty`, handle: (call) => empty(services, call) },
  ];
}

function list(services: WebServices, call: Call): Response {
  const slice = pageOf(call, PER_PAGE);
  const { items, total } = services.notices.list(call.principal, slice);
  const pages = { page: slice.page, perPage: PER_PAGE, total, href: NOTICES };
  return show(call, <NoticesPage shell={shellOf(services, call)} notices={items} pages={pages} />);
}

async function remove(services: WebServices, call: Call): Promise<Response> {
  const id = (await readForm(call)).number("ids");
  services.notices.remove(call.principal, id === undefined ? [] : [id]);
  return redirectAfterPost(services, call, NOTICES);
}

/** Takes `up_to`, the newest one shown; later ones stay. */
async function empty(services: WebServices, call: Call): Promise<Response> {
  services.notices.empty(call.principal, (await readForm(call)).number("up_to") ?? 0);
  return redirectAfterPost(services, call, NOTICES);
}
