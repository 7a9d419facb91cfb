import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const es: Words<typeof en> = {
  follow: "Seguir",
  unfollow: "Dejar de seguir",
  followers: "Seguidores",
  following: "Siguiendo",
  followerCount: { one: "{count} seguidor", many: "{count} seguidores", other: "{count} seguidores" },
  followingCount: { one: "sigue a {count}", many: "sigue a {count}", other: "sigue a {count}" },
  noFollowers: "Nadie sigue aún esta cuenta",
  noFollowing: "Esta cuenta no sigue aún a nadie",
};
