import { disabled } from "../src/http/disabled.ts";
import type { ErrorPage } from "../src/http/errors.ts";
import type { Route } from "../src/http/route.ts";
import type { Services } from "../src/services.ts";
import { type WebArea, type WebServices, webServices } from "./area.ts";
import { WEB_AREAS } from "./areas.ts";

/** Every page of the site and the assets they load; the services are opened when the first page is requested. */
export class Pages {
  private readonly web: WebServices;
  readonly areas = WEB_AREAS.map(({ name }) => name);

  constructor(services: Services) {
    const isOn = ({ isOn }: WebArea) => isOn?.(services.config) !== false;
    this.web = webServices(services, WEB_AREAS.filter(isOn));
  }

  async routesOf(name: string): Promise<readonly Route[]> {
    const area = WEB_AREAS.find((known) => known.name === name);
    if (!area) throw new Error(`there is no area ${name} with pages`);
    const routes = (await area.routes())(this.web);
    return area.isOn?.(this.web.config) === false ? disabled(routes) : routes;
  }

  /** Renders an error page. */
  async error(failed: ErrorPage): Promise<Response> {
    const { errorPage } = await import("./errors.tsx");
    return errorPage(this.web, failed);
  }
}
