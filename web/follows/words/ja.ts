import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const ja: Words<typeof en> = {
  follow: "フォロー",
  unfollow: "フォローを解除",
  followers: "フォロワー",
  following: "フォロー中",
  followerCount: { other: "フォロワー {count} 人" },
  followingCount: { other: "{count} 人をフォロー中" },
  noFollowers: "まだ誰もこのアカウントをフォローしていません",
  noFollowing: "このアカウントはまだ誰もフォローしていません",
};
