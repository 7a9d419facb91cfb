import type { Messages } from "../../../src/language/catalogue.ts";

export const en = {
  follow: "Follow",
  unfollow: "Unfollow",
  followers: "Followers",
  following: "Following",
  followerCount: { one: "{count} follower", other: "{count} followers" },
  followingCount: { one: "{count} following", other: "{count} following" },
  noFollowers: "No one follows this account yet",
  noFollowing: "This account follows no one yet",
} as const satisfies Messages;
