import type { WebArea } from "../area.ts";
import { identityPages } from "./routes.tsx";

export const identityArea: WebArea = { routes: identityPages };
