/** The two ways an account follows a repository: a star to find it again, a watch to be told what happens in it. */
export type Follow = "star" | "watch";
