/** Whose accounts a list has: those that follow an account, or those that it follows. */
export type Side = "followers" | "following";
