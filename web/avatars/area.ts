import type { WebArea } from "../area.ts";
import { avatarPages } from "./routes.tsx";

export const avatarsArea: WebArea = { routes: avatarPages };
