import type { WebArea } from "../area.ts";

export const avatarsArea: WebArea = {
  name: "avatars",
  routes: async () => (await import("./routes.tsx")).avatarPages,
  adminAccountCards: [
    {
      id: "avatar",
      order: 3,
      show: async (_services, _call, user) => (await import("./admin-card.tsx")).adminAvatarCard(user),
    },
  ],
};
