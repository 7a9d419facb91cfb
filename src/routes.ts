import type { Pages } from "../web/pages.ts";
import { areas } from "./areas.ts";
import type { Route } from "./http/route.ts";
import { type RouteIndex, RouteTable } from "./http/route-table.ts";
import type { Services } from "./services.ts";

/** The index of routes, inserted by the build; when run from source, the areas are asked. */
declare const HEARTH_ROUTE_INDEX: RouteIndex;
export const builtRouteIndex = typeof HEARTH_ROUTE_INDEX === "string" ? HEARTH_ROUTE_INDEX : undefined;

const OF_PAGES = "web/";
const SWAGGER = "swagger";

/**
 * All routes of all areas; the server serves nothing else. They come in groups, each of which loads its modules on
 * first use: `stars` for an area's API, `web/stars` for its pages.
 */
export class RouteGroups {
  private readonly loaded = new Map<string, Promise<readonly Route[]>>();
  private opened: Promise<Pages> | undefined;

  constructor(private readonly services: Services) {}

  pages(): Promise<Pages> {
    this.opened ??= import("../web/pages.ts").then(({ Pages }) => new Pages(this.services));
    return this.opened;
  }

  load(group: string): Promise<readonly Route[]> {
    const cached = this.loaded.get(group);
    if (cached) return cached;
    const routes = this.routesOf(group);
    this.loaded.set(group, routes);
    routes.catch(() => this.loaded.delete(group));
    return routes;
  }

  private async routesOf(group: string): Promise<readonly Route[]> {
    if (group.startsWith(OF_PAGES)) return (await this.pages()).routesOf(group.slice(OF_PAGES.length));
    if (group === SWAGGER) {
      const { swaggerRoutes } = await import("./site/swagger/api.ts");
      return swaggerRoutes(this.services, () => this.loadEach(this.ofApi));
    }
    const routes = await areas.find(({ name }) => name === group)?.routes?.();
    if (!routes) throw new Error(`there is no area ${group} with routes`);
    return routes(this.services);
  }

  private readonly ofApi = areas.filter(({ routes }) => routes).map(({ name }) => name);

  private async groups(): Promise<string[]> {
    return [...this.ofApi, SWAGGER, ...(await this.pages()).areas.map((name) => OF_PAGES + name)];
  }

  private async loadEach(groups: readonly string[]): Promise<Route[]> {
    return (await Promise.all(groups.map((group) => this.load(group)))).flat();
  }

  async all(): Promise<Route[]> {
    return this.loadEach(await this.groups());
  }

  /** The index inserted by the build. */
  async index(): Promise<RouteIndex> {
    const routes = new Map<string, readonly Route[]>();
    for (const group of await this.groups()) routes.set(group, await this.load(group));
    return RouteTable.index(routes);
  }
}

/** All routes, loaded. */
export function allRoutes(services: Services): Promise<Route[]> {
  return new RouteGroups(services).all();
}
