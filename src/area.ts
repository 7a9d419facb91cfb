import type { Core } from "./core.ts";
import type { ErrorWords } from "./http/error-words.ts";
import type { Route } from "./http/route.ts";
import type { Services } from "./services.ts";

/** What an area of the product contributes to the server (docs/architecture.md, "How to add an area"). */
export interface Area {
  /** The product's name for it: `stars`. */
  readonly name: string;
  /**
   * Builds the area's services from the foundations and the services of the areas before it in the list, and
   * registers its contributions: grants, subjects, event consumers, jobs. Starts nothing.
   */
  open?(core: Core, services: Services): OpenedArea;
  /**
   * REST: loads the module that declares the routes, on the first request for one of them; every area is open by
   * then. `async () => (await import("./api.ts")).starRoutes`
   */
  routes?(): Promise<(services: Services) => Route[]>;
  /** The API's messages for the codes its services throw. */
  readonly errorWords?: ErrorWords;
}

/** An opened area. */
export interface OpenedArea {
  /** For other areas and the edges; the area declares them on `Services`. */
  readonly services: Partial<Services>;
  /** At startup, before any request: repairs what a crash left. */
  recover?(): void;
  /** Called when the server is listening. */
  start?(): void;
  /** Every half minute: removes what has expired. */
  sweep?(): void;
  /**
   * On shutdown, for an area with its own connections: accepts no new ones, lets running work finish until `deadline`
   * resolves, and aborts the rest.
   */
  letGo?(deadline: Promise<void>): Promise<void>;
  /** On shutdown, after the last request: ends running work. */
  drain?(): Promise<void>;
  close?(): void;
}
