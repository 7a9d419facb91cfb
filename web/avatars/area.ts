import type { WebArea } from "../area.ts";

export const avatarsArea: WebArea = {
  name: "avatars",
  routes: async () => (await import("./routes.tsx")).avatarPages,
};
