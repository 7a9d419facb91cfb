import type { Core } from "./core.ts";
import type { ErrorWords } from "./http/error-words.ts";
import type { Route } from "./http/route.ts";
import type { Services } from "./services.ts";

/** One area of the product, as it plugs into the server (docs/architecture.md, "How to add an area"). */
export interface Area {
  /** Its name in the product: `stars`. */
  readonly name: string;
  /**
   * Builds the area's services on the foundations and on the services of the areas before it in the list, and
   * registers what it contributes: grants, subjects, event consumers, jobs. Starts nothing.
   */
  open?(core: Core, services: Services): OpenedArea;
  /**
   * REST: loads the module that declares the routes, on the first request to one of them; every area is open by then.
   * `async () => (await import("./api.ts")).starRoutes`
   */
  routes?(): Promise<(services: Services) => Route[]>;
  /** The API's messages for the error codes its services throw. */
  readonly errorWords?: ErrorWords;
}

/** An opened area. */
export interface OpenedArea {
  /** What other areas and the edges may call; the area declares it on `Services`. */
  readonly services: Partial<Services>;
  /** At start, before any request is served: repairs what a crash left behind. */
  recover?(): void;
  /** Called once the server is listening. */
  start?(): void;
  /** Every half minute: removes whatever has expired. */
  sweep?(): void;
  /**
   * On shutdown, for an area that holds its own connections: accepts no new ones, lets running work finish until
   * `deadline` resolves, and aborts the rest.
   */
  letGo?(deadline: Promise<void>): Promise<void>;
  /** On shutdown, once no more calls come in: finishes work in progress. */
  drain?(): Promise<void>;
  close?(): void;
}
