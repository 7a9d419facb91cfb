import type { Area } from "../area.ts";
import { adminRoutes } from "./api.ts";
import { AdminService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly admin: AdminService;
  }
}

/** What site administrators do. */
export const adminArea: Area = {
  name: "admin",
  routes: adminRoutes,
  open: ({ db }, { identity, repos }) => ({ services: { admin: new AdminService(db, identity, repos) } }),
};
