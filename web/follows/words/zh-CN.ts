import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const zhCN: Words<typeof en> = {
  follow: "关注",
  unfollow: "取消关注",
  followers: "关注者",
  following: "正在关注",
  followerCount: { other: "{count} 位关注者" },
  followingCount: { other: "正在关注 {count} 人" },
  noFollowers: "还没有人关注此账户",
  noFollowing: "此账户还没有关注任何人",
};
