import type { WebArea } from "../area.ts";
import { notificationsWords } from "./words/index.ts";

export const notificationsArea: WebArea = {
  name: "notifications",
  routes: async () => (await import("./routes.tsx")).notificationPages,
  userSettings: [
    {
      id: "mails",
      label: notificationsWords.label("mailSettings"),
      icon: "bell",
      order: 25,
      href: () => "/user/settings/notifications",
    },
  ],
  header: [
    {
      id: "notifications",
      label: notificationsWords.label("notifications"),
      icon: "bell",
      order: 20,
      place: "end",
      hotkey: "g n",
      href: () => "/notifications",
      shown: (viewer) => viewer !== null,
      count: ({ notifications }, user) => notifications.countUnread(user),
    },
  ],
};
