/** The two ways to follow a repository: a star to find it again, a watch to be notified about it. */
export type Follow = "star" | "watch";
