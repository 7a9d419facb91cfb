import type { WebArea } from "../area.ts";
import { activityPanel, reposPanel } from "./panels.tsx";
import { homePages } from "./routes.tsx";

export const homeArea: WebArea = { routes: homePages, dashboard: [activityPanel, reposPanel] };
