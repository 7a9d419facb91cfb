import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const fr: Words<typeof en> = {
  follow: "Suivre",
  unfollow: "Ne plus suivre",
  followers: "Abonnés",
  following: "Abonnements",
  followerCount: { one: "{count} abonné", many: "{count} abonnés", other: "{count} abonnés" },
  followingCount: { one: "{count} abonnement", many: "{count} abonnements", other: "{count} abonnements" },
  noFollowers: "Personne ne suit encore ce compte",
  noFollowing: "Ce compte ne suit encore personne",
};
