import type { WebArea } from "../area.ts";
import { sitePages } from "./routes.ts";

export const siteArea: WebArea = { routes: sitePages };
