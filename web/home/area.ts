import type { WebArea } from "../area.ts";
import { homePages } from "./routes.tsx";

export const homeArea: WebArea = { routes: homePages };
