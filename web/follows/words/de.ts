import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const de: Words<typeof en> = {
  follow: "Folgen",
  unfollow: "Nicht mehr folgen",
  followers: "Follower",
  following: "Folgt",
  followerCount: { one: "{count} Follower", other: "{count} Follower" },
  followingCount: { one: "folgt {count} Konto", other: "folgt {count} Konten" },
  noFollowers: "Diesem Konto folgt noch niemand",
  noFollowing: "Dieses Konto folgt noch niemandem",
};
